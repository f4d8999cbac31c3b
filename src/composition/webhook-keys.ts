import type { Secrets } from '../config/index.ts';
import type { SecretKeyById } from '../ledger/verify-event.ts';

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

/** The keys in hex, as they are handed to a thread. */
export const keysForThread = ({ webhook }: Secrets): readonly { readonly id: string; readonly key: string }[] =>
  provingSecrets(webhook).map(({ id, key }) => ({ id, key: key.toString('hex') }));
