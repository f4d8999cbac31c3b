import type { ApiMiddleware } from './api-context.ts';
import type { ApiLog } from './api-log.ts';
import { CUT_OFF } from './cut-off.ts';
import { logFields } from './log-fields.ts';
import { problem, sendProblem } from './problem.ts';

/** What a fault of the ledger is answered with. */
export const INTERNAL_ERROR = problem(
  'internal-error',
  'something went wrong here; the log knows it by the request id',
);

/** Turns what nobody expected into a 500 that tells nothing, and logs it under the request's id. */
export const unexpectedErrors =
  (log: ApiLog): ApiMiddleware =>
  async (ctx, next) => {
    try {
      await next();
    } catch (err) {
      log.error({ err, ...logFields(ctx.state) }, 'unexpected error');
      // A reply that is under way can only be cut off, so that nobody takes it for whole.
      if (ctx.headerSent) {
        ctx.res.destroy();
        ctx.state.outcome = CUT_OFF;
      } else sendProblem(ctx, INTERNAL_ERROR);
    }
  };
