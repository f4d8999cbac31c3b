import { hash, timingSafeEqual } from 'node:crypto';
import { either as E } from 'fp-ts';
import type { ApiKey } from './api-key.ts';
import { problem, type Problem } from '../http/problem.ts';

const CHALLENGE = 'Bearer realm="ramp-ledger"';

const unauthorized = (detail: string, challenge: string): Problem =>
  problem('unauthorized', detail, { headers: { 'WWW-Authenticate': challenge } });

/** The caller is known, and lacks a scope. */
export const forbidden = (scope: string): Problem =>
  problem('forbidden', `the API key lacks the scope ${scope}`, {
    headers: { 'WWW-Authenticate': `${CHALLENGE}, error="insufficient_scope", scope="${scope}"` },
  });

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
 * The key that an `Authorization` header shows, where it has every one of the scopes; else 401 `unauthorized` or 403
 * `forbidden` (docs/spec/http.md, Keys and scopes). No scope implies another.
 */
export const authorise = (
  keys: readonly ApiKey[],
  authorization: string,
  scopes: readonly string[],
): E.Either<Problem, ApiKey> => {
  const scheme = /^Bearer +/i.exec(authorization)?.[0];
  const token = scheme === undefined ? '' : authorization.slice(scheme.length).replace(/(?<! ) +$/, '');
  if (token === '') return E.left(unauthorized('send Authorization: Bearer with an API key', CHALLENGE));
  // Header text has one character for each byte that came.
  const caller = keyWithDigest(keys, hash('sha256', Buffer.from(token, 'latin1'), 'buffer'));
  if (caller === null) return E.left(unauthorized('this API key is not valid', `${CHALLENGE}, error="invalid_token"`));
  const missing = scopes.find((scope) => !caller.scopes.has(scope));
  return missing === undefined ? E.right(caller) : E.left(forbidden(missing));
};
