import type { IncomingMessage } from 'node:http';
import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import type { Delivery, VerifiedDelivery } from '../domain/delivery.ts';
import type { RequestId } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';
import { parseBody } from '../domain/parse-json.ts';
import { contentOf } from '../domain/read-content.ts';
import { sha256 } from '../domain/sha256.ts';
import type { LogFields } from '../http/log-fields.ts';
import type { RecordFailure, Recorded } from '../ledger/recorded.ts';
import type { Spooled } from '../ledger/spooled.ts';
import { isTooOld } from './delivery-age.ts';
import { readBody } from './read-body.ts';
import {
  bodyTooLarge,
  notDurable,
  overloaded,
  signatureMismatch,
  tooOld,
  unsupportedMediaType,
  type Rejection,
} from './rejection.ts';
import { signedFormOf, type SignedForm } from './signed-form.ts';
import { UnreadBodies } from './unread-bodies.ts';
import { readSignature, verifySignature, type WebhookSecret } from './verify-signature.ts';

export type ReceiveSettings = {
  readonly signatureHeader: string;
  readonly signedForm: SignedForm;
  readonly maxBodyBytes: number;
  /** Milliseconds after which a body that is not all there is given up (docs/spec/receiving.md, Replies). */
  readonly bodyWithinMs: number;
  /** Null: no replay protection. */
  readonly maxAgeSeconds: number | null;
  /** Deliveries under way at most, from the proof of their signature on; beyond them 503. */
  readonly mostUnderWay: number;
  /** Bodies that are waited for at most; beyond them the eldest is given up. */
  readonly mostUnread: number;
};

export type ReceiveDeps = {
  readonly settings: ReceiveSettings;
  /** The active secrets of this moment. */
  readonly secrets: () => readonly WebhookSecret[];
  readonly now: () => Instant;
  /** Told of each delivery whose signature is right. */
  readonly onVerified: (verified: VerifiedDelivery) => void;
  readonly record: (delivery: Delivery) => TE.TaskEither<RecordFailure, Recorded | Spooled>;
  /**
   * Called for each delivery that could not be recorded. The failure holds more than the provider is told; `request`
   * names the request in the log.
   */
  readonly onFailure: (failure: RecordFailure, request: LogFields) => void;
};

const JSON_TYPE = /^application\/json[ \t]*(?:;|$)/i;

const checkMediaType = ({ headers }: IncomingMessage): Rejection | null => {
  const { 'content-type': type, 'content-encoding': encoding } = headers;
  if (type === undefined || !JSON_TYPE.test(type)) {
    return unsupportedMediaType('A delivery is application/json.');
  }
  return encoding === undefined || encoding.toLowerCase() === 'identity'
    ? null
    : unsupportedMediaType('A delivery is sent as it was signed, without a content encoding.');
};

/** Bytes → verified delivery (docs/spec/receiving.md, Bytes): signature, age, decode, in this order. */
const verify = (
  { settings, secrets, now }: ReceiveDeps,
  header: string | string[] | undefined,
  body: Buffer,
  requestId: RequestId,
): E.Either<Rejection, Delivery> => {
  const signature = readSignature(header, settings.signatureHeader);
  if (E.isLeft(signature)) return signature;
  const signed = signedFormOf(body, settings.signedForm);
  if (signed === null) return E.left(signatureMismatch);
  // Written again by `JSON.stringify` a body can be longer: `1e20` takes five times as many bytes. That form is what is
  // kept.
  if (signed.length > settings.maxBodyBytes) return E.left(bodyTooLarge(settings.maxBodyBytes));
  const signer = verifySignature(signed, signature.right, secrets());
  if (E.isLeft(signer)) return signer;
  const receivedAt = now();
  const parsed = parseBody(signed);
  const { maxAgeSeconds } = settings;
  if (maxAgeSeconds !== null && E.isRight(parsed) && isTooOld(parsed.right.value, receivedAt, maxAgeSeconds)) {
    return E.left(tooOld(maxAgeSeconds));
  }
  return E.right({
    verified: {
      body: signed,
      bodySha256: sha256(signed),
      signature: signature.right,
      secretId: signer.right,
      receivedAt,
      requestId,
    },
    content: contentOf(parsed),
  });
};

/**
 * Receives one delivery: what became of it, or why it was not accepted. A Right is durable (docs/spec/domain.md,
 * Promises, 1).
 */
export const receiveDelivery = (
  deps: ReceiveDeps,
): ((request: IncomingMessage, fields: LogFields) => Promise<E.Either<Rejection, Recorded | Spooled>>) => {
  const { settings, onVerified, record, onFailure } = deps;
  const headerName = settings.signatureHeader.toLowerCase();
  const unread = new UnreadBodies(settings.mostUnread);
  let underWay = 0;

  const receive = async (
    request: IncomingMessage,
    fields: LogFields,
  ): Promise<E.Either<Rejection, Recorded | Spooled>> => {
    const body = await readBody(request, settings.maxBodyBytes, settings.bodyWithinMs, unread);
    if (E.isLeft(body)) return body;
    const delivery = verify(deps, request.headers[headerName], body.right, fields.requestId);
    if (E.isLeft(delivery)) return delivery;
    // Places are for what is proved: whoever sends anything else takes none of them.
    if (underWay >= settings.mostUnderWay) return E.left(overloaded);
    onVerified(delivery.right.verified);
    underWay += 1;
    const recorded = await record(delivery.right)().finally(() => (underWay -= 1));
    if (E.isRight(recorded)) return recorded;
    onFailure(recorded.left, fields);
    return E.left(recorded.left._tag === 'RacesLost' ? overloaded : notDurable);
  };

  return (request, fields) => {
    const wrongType = checkMediaType(request);
    return wrongType === null ? receive(request, fields) : Promise.resolve(E.left(wrongType));
  };
};
