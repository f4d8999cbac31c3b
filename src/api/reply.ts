import { either as E, type taskEither as TE } from 'fp-ts';
import type { JsonObject } from '../domain/json.ts';
import type { ApiContext } from '../http/api-context.ts';
import type { ApiLog } from '../http/api-log.ts';
import { logFields } from '../http/log-fields.ts';
import { sendProblem, type Problem } from '../http/problem.ts';

/** What a query is answered with: a JSON resource, text that is written already (JSON unless `type` says otherwise), or bytes as they are. */
export type Reply = {
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: JsonObject | string | Buffer;
};

export type Answer = TE.TaskEither<Problem, Reply>;

const sendReply = (ctx: ApiContext, { type, headers = {}, body }: Reply): void => {
  ctx.status = 200;
  ctx.type = type ?? (Buffer.isBuffer(body) ? 'application/octet-stream' : 'application/json');
  ctx.set({ ...headers, 'Cache-Control': 'private, no-store', 'X-Content-Type-Options': 'nosniff' });
  ctx.body = Buffer.isBuffer(body) || typeof body === 'string' ? body : JSON.stringify(body);
};

/** Sends what a query came to; what only operators may know of a problem goes to the log. */
export const sendAnswer = async (ctx: ApiContext, log: ApiLog, answer: Answer): Promise<void> => {
  const outcome = await answer();
  if (E.isRight(outcome)) return sendReply(ctx, outcome.right);
  const { code, cause } = outcome.left;
  if (cause !== undefined) log.error({ ...logFields(ctx.state), code, cause }, 'a query failed');
  sendProblem(ctx, outcome.left);
};
