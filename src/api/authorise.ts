import * as E from 'fp-ts/lib/Either.js';
import { keyShown, type ApiKey } from '../access/api-key.ts';
import type { Forbidden } from '../queries/failure/query-failure.ts';
import type { Unauthorized } from './api-failure.ts';

/**
 * The key that an `Authorization` header shows, where it has every one of the scopes (docs/spec/http.md, Keys and
 * scopes). No scope implies another.
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
  const caller = keyShown(keys, Buffer.from(token, 'latin1'));
  if (caller === null) return E.left({ _tag: 'Unauthorized', key: 'invalid' });
  const missing = scopes.find((scope) => !caller.scopes.has(scope));
  return missing === undefined ? E.right(caller) : E.left({ _tag: 'Forbidden', scope: missing, parameter: null });
};
