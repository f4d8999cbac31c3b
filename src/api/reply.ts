import { either as E, type taskEither as TE } from 'fp-ts';
import type * as t from 'io-ts';
import type { ApiContext } from '../http/api-context.ts';
import type { ApiLog } from '../http/api-log.ts';
import { logFields } from '../http/log-fields.ts';
import { sendProblem } from '../http/problem.ts';
import { sendStream, type StreamedBody } from '../http/send-stream.ts';
import type { QueryFailure } from '../queries/failure/query-failure.ts';
import type { ApiFailure } from './api-failure.ts';
import { problemOf } from './problem-of.ts';

type Headed = { readonly type?: string; readonly headers?: Readonly<Record<string, string>> };

/**
 * What a query is answered with: a resource, text that is written already (JSON unless `type` says otherwise), bytes as
 * they are, or bytes that are made while they are read.
 */
export type Reply<A> = Headed &
  ({ readonly body: A | string | Buffer } | { readonly type: string; readonly stream: StreamedBody<QueryFailure> });

export type Answer<A> = TE.TaskEither<ApiFailure, Reply<A>>;

/** How a resource is written: by its codec, which leaves out whatever it does not know. */
export type Resource<A> = Pick<t.Type<A>, 'encode' | 'name'>;

const usualType = <A>(reply: Reply<A>): string =>
  'body' in reply && Buffer.isBuffer(reply.body) ? 'application/octet-stream' : 'application/json';

const logFailure = (ctx: ApiContext, log: ApiLog, failure: ApiFailure): void => {
  const { code, cause } = problemOf(failure);
  if (cause !== undefined) log.error({ ...logFields(ctx.state), code, cause }, 'a query failed');
};

/** Sends a reply; what goes wrong while it is made goes to the log. */
export const sendReply = async <A>(
  ctx: ApiContext,
  log: ApiLog,
  resource: Resource<A> | null,
  reply: Reply<A>,
): Promise<void> => {
  ctx.status = 200;
  ctx.type = reply.type ?? usualType(reply);
  ctx.set({ 'Cache-Control': 'private, no-store', ...reply.headers });
  if ('body' in reply) {
    const { body } = reply;
    if (Buffer.isBuffer(body) || typeof body === 'string') ctx.body = body;
    else ctx.body = JSON.stringify(resource === null ? body : resource.encode(body));
    return;
  }
  ctx.respond = false;
  if (ctx.method === 'HEAD') {
    await reply.stream.close();
    ctx.res.end();
    return;
  }
  const failure = await sendStream(ctx.res, reply.stream);
  if (failure !== null) logFailure(ctx, log, failure);
};

/** Sends what a query came to; what only operators may know of a failure goes to the log. */
export const sendAnswer = async <A>(
  ctx: ApiContext,
  log: ApiLog,
  resource: Resource<A> | null,
  answer: Answer<A>,
): Promise<void> => {
  const outcome = await answer();
  if (E.isRight(outcome)) return sendReply(ctx, log, resource, outcome.right);
  logFailure(ctx, log, outcome.left);
  sendProblem(ctx, problemOf(outcome.left));
};
