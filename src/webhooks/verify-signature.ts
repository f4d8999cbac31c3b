import { timingSafeEqual } from 'node:crypto';
import * as E from 'fp-ts/lib/Either.js';
import { hmacSha256 } from '../domain/hmac-sha256.ts';
import type { SecretId } from '../domain/ids.ts';
import { signatureMalformed, signatureMismatch, signatureMissing, type Rejection } from './rejection.ts';

/** A secret as a key, under the name that events carry. */
export type WebhookSecret = { readonly id: SecretId; readonly key: Buffer };

const HEX_DIGEST = /^[0-9a-f]{64}$/i;

/** Buffers for the comparison. Each is filled and read within one call, so all deliveries can share them. */
const given = Buffer.alloc(64);
const computed = Buffer.alloc(64);

/**
 * Reads the signature header: exactly 64 hex digits in any letter case. Several headers arrive joined, and are
 * malformed.
 */
export const readSignature = (
  header: string | readonly string[] | undefined,
  name: string,
): E.Either<Rejection, string> => {
  if (header === undefined || header === '') return E.left(signatureMissing(name));
  return typeof header === 'string' && HEX_DIGEST.test(header) ? E.right(header) : E.left(signatureMalformed(name));
};

/**
 * Finds the secret that signed a body: hex HMAC-SHA256 over its bytes (docs/spec/provider.md, Webhook signature). Every
 * active secret is tried, each in constant time, whichever of them fits.
 */
export const verifySignature = (
  body: Buffer,
  signature: string,
  secrets: readonly WebhookSecret[],
): E.Either<Rejection, SecretId> => {
  given.write(signature.toLowerCase(), 'latin1');
  let signer: SecretId | null = null;
  for (const { id, key } of secrets) {
    computed.write(hmacSha256(key, body), 'latin1');
    if (timingSafeEqual(given, computed)) signer ??= id;
  }
  return signer === null ? E.left(signatureMismatch) : E.right(signer);
};
