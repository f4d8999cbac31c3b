import * as E from 'fp-ts/lib/Either.js';
import type { QueryFailure } from '../queries/failure/query-failure.ts';
import { handedBytes } from '../replies/handed-bytes.ts';
import type { Reply, Resource } from '../replies/reply.ts';
import type { WrittenReply } from './handed-question.ts';

const NO_TEXT: QueryFailure = { _tag: 'StreamFailed', detail: 'the answer has no text' };

/** A reply as the text that is sent, to be written where the receiving thread is not held by it. */
export const writtenReply = <A>(
  resource: Resource<A> | null,
  reply: Reply<A>,
): E.Either<QueryFailure, WrittenReply> => {
  if (!('body' in reply)) return E.left(NO_TEXT);
  const { body, headers = {}, ownsBytes } = reply;
  if (Buffer.isBuffer(body))
    return E.right({ headers, type: reply.type ?? 'application/octet-stream', bytes: handedBytes(body, ownsBytes) });
  const text = typeof body === 'string' ? body : JSON.stringify(resource === null ? body : resource.encode(body));
  return E.right({ headers, type: reply.type ?? 'application/json', bytes: new TextEncoder().encode(text) });
};
