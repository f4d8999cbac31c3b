import type { ApiKey } from './api-key.ts';

/** Who reads what has no end, or a late one: their right to it may end before. */
export type Reader = {
  /** Id of the key that they showed, which places are shared out by. */
  readonly keyId: string;
  /** Whether they may still read what they began to. */
  readonly mayRead: () => boolean;
  /** Whether they hung up. Left out: nobody can tell. */
  readonly isGone?: () => boolean;
};

/** Whether a key is valid as it was when it was shown, with each scope that it had. */
const isStillValid = (now: readonly ApiKey[], { id, sha256, scopes }: ApiKey): boolean =>
  now.some((key) => key.id === id && key.sha256 === sha256 && [...scopes].every((scope) => key.scopes.has(scope)));

/**
 * Somebody who showed a key: they may read until it is taken out, is another, or lacks a scope.
 *
 * @param isGone whether they hung up
 */
export const keyReader = (apiKeys: () => readonly ApiKey[], key: ApiKey, isGone: () => boolean): Reader => ({
  keyId: key.id,
  mayRead: () => isStillValid(apiKeys(), key),
  isGone,
});
