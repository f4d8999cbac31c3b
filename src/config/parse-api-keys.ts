import * as E from 'fp-ts/lib/Either.js';
import { sha256 } from '../domain/sha256.ts';
import { configError, type ConfigError } from './config-error.ts';
import type { ApiKey } from './config.ts';
import { isScope, SCOPES, type Scope } from './scope.ts';
import { secretEntries, type ReadEntries, type SecretEntry } from './secret-entries.ts';

const FORM = { form: 'id:scope+scope=key,…', noun: 'key' };
const KNOWN = `the scopes are ${SCOPES.join(', ')}`;

const wrong = (variable: string, number: number, problem: string, cure: string): E.Either<ConfigError, never> =>
  E.left(configError(variable, `entry ${number} ${problem}`, cure));

/** What a request header can carry, and no proxy alters. */
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

const parseEntry = (variable: string, { number, head, value }: SecretEntry): E.Either<ConfigError, ApiKey> => {
  const at = head.indexOf(':');
  if (at === -1) return wrong(variable, number, 'has no scopes', `write ${FORM.form}, ${KNOWN}`);
  if (at === 0) return wrong(variable, number, 'has no id', `write ${FORM.form}`);
  const scopes = new Set<Scope>();
  for (const [index, scope] of head
    .slice(at + 1)
    .split('+')
    .entries()) {
    if (!isScope(scope)) return wrong(variable, number, `has an unknown scope, number ${index + 1}`, KNOWN);
    scopes.add(scope);
  }
  if (!VISIBLE_ASCII.test(value)) {
    return wrong(variable, number, 'has a key with blanks or letters beyond ASCII', 'give one in visible ASCII');
  }
  return E.right({ id: head.slice(0, at), scopes, sha256: sha256(value) });
};

/**
 * Reads `id:scope+scope=key,…`: the id ends at the first `:`, the scopes at the first `=` (docs/spec/configuration.md,
 * API keys). One key under two ids is an error of the second, since which scopes it has would then be a matter of
 * chance.
 */
export const parseApiKeys = (variable: string, list: string): ReadEntries<ApiKey> =>
  secretEntries(variable, list, FORM, (entry, before: readonly ApiKey[]) =>
    E.chain((key: ApiKey): E.Either<ConfigError, ApiKey> => {
      if (before.some(({ id }) => id === key.id)) {
        return wrong(variable, entry.number, 'has an id that is used twice', 'give each key an id of its own');
      }
      return before.some((other) => other.sha256 === key.sha256)
        ? wrong(variable, entry.number, 'has a key that is there under another id', 'give each id a key of its own')
        : E.right(key);
    })(parseEntry(variable, entry)),
  );
