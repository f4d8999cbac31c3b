import * as E from 'fp-ts/lib/Either.js';
import type { Secrets } from '../config/index.ts';
import type { VerifiedDelivery } from '../domain/delivery.ts';
import type { SecretId } from '../domain/ids.ts';
import type { SecretKeyById } from '../ledger/verify-event.ts';
import { readSignature, verifySignature } from '../webhooks/verify-signature.ts';

type WebhookSecrets = Secrets['webhook'];

/** The secrets that events may have been signed with: those that are accepted, and those that only prove old events. */
export const provingSecrets = ({ active, retired }: WebhookSecrets): WebhookSecrets['active'] => [
  ...active,
  ...retired,
];

/** Finds the key that an event was signed with. */
export const keyById =
  (secrets: () => Secrets): SecretKeyById =>
  (id) =>
    provingSecrets(secrets().webhook).find((secret) => secret.id === id)?.key ?? null;

/** Finds the secret that signed bytes, among those that may have; null where none did. */
export const signerOf =
  (secrets: () => Secrets) =>
  ({ body, signature }: Pick<VerifiedDelivery, 'body' | 'signature'>): SecretId | null => {
    const given = readSignature(signature, 'signature');
    if (E.isLeft(given)) return null;
    const signer = verifySignature(body, given.right, provingSecrets(secrets().webhook));
    return E.isRight(signer) ? signer.right : null;
  };

/** The keys in hex, as they are handed to a thread. */
export const keysForThread = ({ webhook }: Secrets): readonly { readonly id: string; readonly key: string }[] =>
  provingSecrets(webhook).map(({ id, key }) => ({ id, key: key.toString('hex') }));
