import { hash, timingSafeEqual } from 'node:crypto';
import { either as E } from 'fp-ts';
import type { ApiKey } from './api-key.ts';
import type { Forbidden } from '../queries/failure/query-failure.ts';
import type { Unauthorized } from './api-failure.ts';

const matches = (digest: Buffer, key: ApiKey): boolean => {
  const expected = Buffer.from(key.sha256, 'hex');
  return expected.length === digest.length && timingSafeEqual(expected, digest);
};

/** Every key is compared, found or not, so that the time taken tells nothing. */
const keyWithDigest = (keys: readonly ApiKey[], digest: Buffer): ApiKey | null => {
  let found: ApiKey | null = null;
  for (const key of keys) if (matches(digest, key)) found = key;
  return found;
};

/** The key whose text somebody shows; null where it is none that is valid. */
export const keyShown = (keys: readonly ApiKey[], text: string): ApiKey | null =>
  keyWithDigest(keys, hash('sha256', text, 'buffer'));

/**
 * The key that an `Authorization` header shows, where it has every one of the scopes (docs/spec/http.md, Keys and scopes). No scope
 * implies another.
 */
export const authorise = (
  keys: readonly ApiKey[],
  authorization: string,
  scopes: readonly string[],
): E.Either<Unauthorized | Forbidden, ApiKey> => {
  const scheme = /^Bearer +/i.exec(authorization)?.[0];
  const token = scheme === undefined ? '' : authorization.slice(scheme.length).replace(/(?<! ) +$/, '');
  if (token === '') return E.left({ _tag: 'Unauthorized', key: 'missing' });
  // Header text has one character for each byte that came.
  const caller = keyWithDigest(keys, hash('sha256', Buffer.from(token, 'latin1'), 'buffer'));
  if (caller === null) return E.left({ _tag: 'Unauthorized', key: 'invalid' });
  const missing = scopes.find((scope) => !caller.scopes.has(scope));
  return missing === undefined ? E.right(caller) : E.left({ _tag: 'Forbidden', scope: missing, parameter: null });
};
