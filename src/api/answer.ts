import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import type { ApiContext } from '../http/api-context.ts';
import type { ApiLog } from '../http/api-log.ts';
import { logFields } from '../http/log-fields.ts';
import { sendProblem } from '../http/problem.ts';
import { sendReply, type Reply, type Resource } from '../replies/reply.ts';
import type { ApiFailure } from './api-failure.ts';
import { problemOf } from './problem-of.ts';

/** What a route comes to. */
export type Answer<A> = TE.TaskEither<ApiFailure, Reply<A>>;

const logFailure = (ctx: ApiContext, log: ApiLog, failure: ApiFailure): void => {
  const { code, cause } = problemOf(failure);
  if (cause !== undefined) log.error({ ...logFields(ctx.state), code, cause }, 'a query failed');
};

/** Sends what a query came to; what only operators may know of a failure goes to the log. */
export const sendAnswer = async <A>(
  ctx: ApiContext,
  log: ApiLog,
  resource: Resource<A> | null,
  answer: Answer<A>,
): Promise<void> => {
  const outcome = await answer();
  if (E.isLeft(outcome)) {
    logFailure(ctx, log, outcome.left);
    return sendProblem(ctx, problemOf(outcome.left));
  }
  const failedMeanwhile = await sendReply(ctx, log, resource, outcome.right);
  if (failedMeanwhile !== null) logFailure(ctx, log, failedMeanwhile);
};
