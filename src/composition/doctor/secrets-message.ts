import type { SecretId } from '../../domain/ids.ts';
import type { LedgerLocation } from '../../threads/ledger-location.ts';
import { none, protocol, tagged } from '../../threads/thread-message.ts';

/** Where events are, the keys of secrets in hex, and the moment before which an event must have come to count, in ms since the epoch. */
export type SecretsQuestion = {
  readonly _tag: 'Prove';
  readonly location: LedgerLocation;
  readonly keys: readonly { readonly id: string; readonly key: string }[];
  readonly beforeMs: number;
};

export type SecretsAnswer =
  /** The secrets whose newest event is not signed with the value that they have now. */
  | { readonly _tag: 'Unproven'; readonly ids: readonly SecretId[] }
  /** The store does not say. */
  | { readonly _tag: 'Unread' };

export const secretsProtocol = protocol({
  question: tagged<SecretsQuestion>({ Prove: true }),
  answer: tagged<SecretsAnswer>({ Unproven: true, Unread: true }),
  note: none,
  news: none,
});
