import type { ApiContext } from './api-context.ts';
import { logFields, type LogFields } from './log-fields.ts';
import { matchedRoute } from './matched-route.ts';
import { isProved } from './proved.ts';

/** A reply that its caller did not get whole. */
export type CutOff = LogFields & {
  readonly route: string;
  readonly status: number;
} & ({ readonly reason: string } | { readonly err: unknown });

/** Told of each; `proved`: whether whoever asked had proved who they are. */
export type CutOffLog = (cutOff: CutOff, proved: boolean) => void;

/** How a connection ends that the other side gave up: anybody can have that as often as they like, and nothing is to be mended. */
const GONE: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ETIMEDOUT']);

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/** Tells of a reply that ended with an error: by its code alone where its caller went away, else with all of it. */
export const tellCutOff = (tell: CutOffLog, ctx: ApiContext, err: unknown): void => {
  const about = { ...logFields(ctx.state), route: matchedRoute(ctx), status: ctx.res.statusCode };
  const code = codeOf(err);
  tell(
    typeof code === 'string' && GONE.has(code) ? { ...about, reason: code } : { ...about, err },
    isProved(ctx.state),
  );
};
