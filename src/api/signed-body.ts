import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import { signedBytes, type RecordedEvent } from '../domain/recorded-event.ts';
import { metadataOf, withDamagedMetadata, type UnreadableEvent } from '../domain/unreadable-event.ts';
import type { Reply } from '../replies/reply.ts';
import type { AnswerForm } from './described-route.ts';

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
export const signedBody = (event: RecordedEvent): E.Either<UnreadableEvent, Reply<never>> =>
  pipe(
    metadataOf(event),
    E.filterOrElse(
      ({ signature }) => /^[\da-f]{64}$/i.test(signature),
      () => withDamagedMetadata(event),
    ),
    E.map(({ signature }) => ({
      headers: {
        'X-Service-Signature': signature,
        'Content-Disposition': `attachment; filename="${event.id}.body"`,
        'Content-Security-Policy': "default-src 'none'; sandbox",
      },
      body: signedBytes(event),
    })),
  );
