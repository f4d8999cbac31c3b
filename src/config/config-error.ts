/**
 * A wrong value in the environment (docs/spec/configuration.md, Environment). Neither text holds a value that may be a
 * secret, or be taken for one by mistake: entries of a list are told apart by their number, files by the variable that
 * names them.
 */
export type ConfigError = {
  readonly _tag: 'ConfigError';
  readonly variable: string;
  /** What is wrong: "99999 is no port". */
  readonly problem: string;
  /** What would be right: "give a number from 0 to 65535". */
  readonly cure: string;
};

export const configError = (variable: string, problem: string, cure: string): ConfigError => ({
  _tag: 'ConfigError',
  variable,
  problem,
  cure,
});

/** The one line for standard error, without a line break. */
export const configErrorLine = ({ variable, problem, cure }: ConfigError): string =>
  `${variable}: ${problem}; ${cure}`.replaceAll(/\p{Cc}+/gu, ' ');

const LONGEST_QUOTE = 60;

/** A value that is no secret, for an error line: on one line, and of a bounded length. */
export const quoted = (value: string): string =>
  JSON.stringify(value.length > LONGEST_QUOTE ? `${value.slice(0, LONGEST_QUOTE)}…` : value);
