/** The options of `sandbox` as they are written; what they must be is checked where the environment is read too. */
export type SandboxOptions = {
  readonly port?: string;
  readonly target?: string;
  readonly secretFile?: string;
  readonly orders?: string;
  readonly rate?: string;
  readonly days?: string;
  readonly seed?: string;
  readonly fault?: readonly string[];
  readonly moneyFault?: readonly string[];
  readonly bankDir?: string;
  readonly tries?: string;
  readonly atOnce?: string;
  readonly startAt?: string;
};
