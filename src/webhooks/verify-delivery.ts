import * as E from 'fp-ts/lib/Either.js';
import type { Delivery, VerifiedDelivery } from '../domain/delivery.ts';
import type { RequestId } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';
import { parseBody } from '../domain/parse-json.ts';
import { contentOf } from '../domain/read-content.ts';
import { sha256 } from '../domain/sha256.ts';
import { isTooOld } from './delivery-age.ts';
import { bodyTooLarge, signatureMismatch, tooOld, type Rejection } from './rejection.ts';
import { signedFormOf, type SignedForm } from './signed-form.ts';
import { readSignature, verifySignature, type WebhookSecret } from './verify-signature.ts';

/** How deliveries are checked. */
export type VerifySettings = {
  readonly signatureHeader: string;
  readonly signedForm: SignedForm;
  readonly maxBodyBytes: number;
  /** Null: no replay protection. */
  readonly maxAgeSeconds: number | null;
};

/** What came of a delivery. `signature`: the header, as Node gives it. `receivedAt`: asked for when the signature is right. */
export type ReceivedBytes = {
  readonly body: Buffer;
  readonly signature: string | readonly string[] | undefined;
  readonly requestId: RequestId;
  readonly receivedAt: () => Instant;
};

/** Bytes → verified delivery (docs/spec/receiving.md, Bytes): the signature is proved before anything is read. */
export const verifyBytes = (
  settings: VerifySettings,
  secrets: readonly WebhookSecret[],
  { body, signature: header, requestId, receivedAt }: ReceivedBytes,
): E.Either<Rejection, VerifiedDelivery> => {
  const signature = readSignature(header, settings.signatureHeader);
  if (E.isLeft(signature)) return signature;
  const signed = signedFormOf(body, settings.signedForm);
  if (signed === null) return E.left(signatureMismatch);
  // Written again by `JSON.stringify` a body can be longer: `1e20` takes five times as many bytes. That form is what is
  // kept.
  if (signed.length > settings.maxBodyBytes) return E.left(bodyTooLarge(settings.maxBodyBytes));
  const signer = verifySignature(signed, signature.right, secrets);
  if (E.isLeft(signer)) return signer;
  return E.right({
    body: signed,
    bodySha256: sha256(signed),
    signature: signature.right,
    secretId: signer.right,
    receivedAt: receivedAt(),
    requestId,
  });
};

/** Reads a verified delivery: its age, then what it says. */
export const readVerified = (
  { maxAgeSeconds }: VerifySettings,
  verified: VerifiedDelivery,
): E.Either<Rejection, Delivery> => {
  const parsed = parseBody(verified.body);
  if (maxAgeSeconds !== null && E.isRight(parsed) && isTooOld(parsed.right.value, verified.receivedAt, maxAgeSeconds)) {
    return E.left(tooOld(maxAgeSeconds));
  }
  return E.right({ verified, content: contentOf(parsed) });
};

/** Bytes → delivery: signature, age, decode, in this order. */
export const verifyDelivery = (
  settings: VerifySettings,
  secrets: readonly WebhookSecret[],
  received: ReceivedBytes,
): E.Either<Rejection, Delivery> => {
  const verified = verifyBytes(settings, secrets, received);
  return E.isLeft(verified) ? verified : readVerified(settings, verified.right);
};
