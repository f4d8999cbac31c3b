import * as E from 'fp-ts/lib/Either.js';
import { signedFormOf } from './signed-form.ts';
import type { VerifySettings } from './verify-delivery.ts';
import { readSignature, verifySignature, type WebhookSecret } from './verify-signature.ts';

/** Twice what the largest deliveries of providers have. */
const SMALL_BYTES = 8_192;

/**
 * Whether a signature that does not fit the bytes fits them written again as JSON. Only small bodies are looked at: nobody
 * has proved what this is, and it is asked for some dozens a minute.
 */
export const isRewritten = (
  { signedForm, signatureHeader }: VerifySettings,
  secrets: readonly WebhookSecret[],
  body: Buffer,
  header: string | string[] | undefined,
): boolean => {
  const isLooked = signedForm === 'bytes' && body.length <= SMALL_BYTES;
  const rewritten = isLooked ? signedFormOf(body, 'json') : null;
  const signature = readSignature(header, signatureHeader);
  return rewritten !== null && E.isRight(signature) && E.isRight(verifySignature(rewritten, signature.right, secrets));
};
