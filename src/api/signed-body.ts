import { either as E } from 'fp-ts';
import { parseMetadata } from '../domain/event-metadata.ts';
import { signedBytes, type RecordedEvent } from '../domain/recorded-event.ts';
import type { Problem } from '../http/problem.ts';
import { unreadableEvent } from './query-problems.ts';
import type { AnswerForm } from './question.ts';
import type { Reply } from './reply.ts';

/** How signed bytes are answered. */
export const SIGNED_BODY: AnswerForm<never> = {
  description: 'The bytes that the provider signed, unchanged.',
  resource: null,
  others: [{ type: 'application/octet-stream', schema: {} }],
  headers: {
    'X-Service-Signature': {
      description: 'The signature of these bytes as it came: hex HMAC-SHA256.',
      schema: { type: 'string', pattern: '^[0-9A-Fa-f]{64}$' },
    },
    'Content-Disposition': { description: 'A file name of the event id.', schema: { type: 'string' } },
  },
};

/** The signed bytes of an event, unchanged, with their signature (docs/spec/http.md, Signed bytes). */
export const signedBody = (event: RecordedEvent): E.Either<Problem, Reply<never>> => {
  const signature = parseMetadata(event.metadata)?.signature ?? '';
  if (!/^[\da-f]{64}$/i.test(signature)) {
    const problem = 'its metadata is not what the ledger writes';
    return E.left(unreadableEvent({ _tag: 'UnreadableEvent', recorded: event, problem }));
  }
  return E.right({
    headers: {
      'X-Service-Signature': signature,
      'Content-Disposition': `attachment; filename="${event.id}.body"`,
      'Content-Security-Policy': "default-src 'none'; sandbox",
    },
    body: signedBytes(event),
  });
};
