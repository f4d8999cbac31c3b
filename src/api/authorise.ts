import * as E from 'fp-ts/lib/Either.js';
import { keyShown, type ApiKey } from '../access/api-key.ts';
import type { Forbidden } from '../queries/failure/query-failure.ts';
import { trimmedEnd } from '../domain/trimmed-end.ts';
import type { Unauthorized } from './api-failure.ts';

/** Header text has one character for each byte that came, and so has the key that is taken out of it. */
const tokenIn = (authorization: string, basic: boolean): string => {
  const [scheme = '', name = ''] = /^(Bearer|Basic) +/i.exec(authorization) ?? [];
  const credentials = trimmedEnd(authorization.slice(scheme.length), ' ');
  if (name.toLowerCase() === 'bearer') return credentials;
  if (name === '' || !basic) return '';
  const pair = Buffer.from(credentials, 'base64').toString('latin1');
  return pair.slice(pair.indexOf(':') + 1);
};

/** The key that an `Authorization` header shows (docs/spec/http.md, Keys and scopes). */
export const validKey = (
  keys: readonly ApiKey[],
  authorization: string,
  basic = false,
): E.Either<Unauthorized, ApiKey> => {
  const token = tokenIn(authorization, basic);
  if (token === '') return E.left({ _tag: 'Unauthorized', key: 'missing', basic });
  const caller = keyShown(keys, Buffer.from(token, 'latin1'));
  return caller === null ? E.left({ _tag: 'Unauthorized', key: 'invalid', basic }) : E.right(caller);
};

/** A key, where it has every one of the scopes. No scope implies another. */
export const withScopes = (caller: ApiKey, scopes: readonly string[]): E.Either<Forbidden, ApiKey> => {
  const missing = scopes.find((scope) => !caller.scopes.has(scope));
  return missing === undefined ? E.right(caller) : E.left({ _tag: 'Forbidden', scope: missing, parameter: null });
};
