import type * as t from 'io-ts';
import type { ApiContext } from '../http/api-context.ts';
import type { ApiLog } from '../http/api-log.ts';
import { CUT_OFF } from '../http/cut-off.ts';
import { logFields } from '../http/log-fields.ts';
import { sendStream, type StreamedBody } from '../http/send-stream.ts';
import type { QueryFailure } from '../queries/failure/query-failure.ts';

type Headed = {
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether its bytes were made for it alone, so that their memory can be given to another thread. */
  readonly ownsBytes?: true;
};

/**
 * What a query is answered with: a resource, text that is written already (JSON unless `type` says otherwise), bytes as
 * they are, or bytes that are made while they are read.
 */
export type Reply<A> = Headed &
  ({ readonly body: A | string | Buffer } | { readonly type: string; readonly stream: StreamedBody<QueryFailure> });

/** How a resource is written: by its codec, which leaves out whatever it does not know. */
export type Resource<A> = Pick<t.Type<A>, 'encode' | 'name'>;

/** Releases what a reply that nobody is given would need. */
export const dropReply = async <A>(reply: Reply<A>): Promise<void> => {
  if ('stream' in reply) await reply.stream.close();
};

const usualType = <A>(reply: Reply<A>): string =>
  'body' in reply && Buffer.isBuffer(reply.body) ? 'application/octet-stream' : 'application/json';

/** Sends a reply. What goes wrong while it is made cuts it off, and is answered; a reader who is cut off is logged here. */
export const sendReply = async <A>(
  ctx: ApiContext,
  log: ApiLog,
  resource: Resource<A> | null,
  reply: Reply<A>,
): Promise<QueryFailure | null> => {
  ctx.status = 200;
  ctx.type = reply.type ?? usualType(reply);
  ctx.set({ 'Cache-Control': 'private, no-store', ...reply.headers });
  if ('body' in reply) {
    const { body } = reply;
    if (Buffer.isBuffer(body) || typeof body === 'string') ctx.body = body;
    else ctx.body = JSON.stringify(resource === null ? body : resource.encode(body));
    return null;
  }
  ctx.respond = false;
  if (ctx.method === 'HEAD') {
    await reply.stream.close();
    ctx.res.end();
    return null;
  }
  const outcome = await sendStream(ctx.res, reply.stream);
  if (outcome === null) return null;
  ctx.state.outcome = CUT_OFF;
  if (outcome._tag === 'Left') return null;
  if (outcome._tag !== 'CutOff') return outcome;
  const { apiKeyId } = ctx.state;
  log.warn({ ...logFields(ctx.state), apiKeyId, reason: outcome.reason }, 'a stream was cut off');
  return null;
};
