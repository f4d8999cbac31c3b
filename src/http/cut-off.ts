import type { ApiContext } from './api-context.ts';
import { ClosedHere } from './connections/closed-here.ts';
import { logFields, type LogFields } from './log-fields.ts';
import { matchedRoute } from './matched-route.ts';
import { isProved } from './proved.ts';

/** What became of such a reply, for its access line. */
export const CUT_OFF = 'cut-off';

/** A reply that its caller did not get whole. */
export type CutOff = LogFields & {
  readonly route: string;
  readonly status: number;
} & (
    | {
        /** Who ended it: its caller, who went away, or the ledger. */
        readonly by: 'caller' | 'ledger';
        readonly reason: string;
      }
    | { readonly err: unknown }
  );

/** Told of each; `proved`: whether whoever asked had proved who they are. */
export type CutOffLog = (cutOff: CutOff, proved: boolean) => void;

/** How a connection ends that the other side gave up: anybody can have that as often as they like, and nothing is to be mended. */
const GONE: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ETIMEDOUT']);

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/**
 * Tells of a reply that ended with an error: by its code alone where its caller went away, by the reason where the ledger closed its
 * connection, else with all of it.
 */
export const tellCutOff = (tell: CutOffLog, ctx: ApiContext, err: unknown): void => {
  const about = { ...logFields(ctx.state), route: matchedRoute(ctx), status: ctx.res.statusCode };
  const code = codeOf(err);
  const proved = isProved(ctx.state);
  if (err instanceof ClosedHere) tell({ ...about, by: 'ledger', reason: err.message }, proved);
  else if (typeof code === 'string' && GONE.has(code)) tell({ ...about, by: 'caller', reason: code }, proved);
  else tell({ ...about, err }, proved);
};
