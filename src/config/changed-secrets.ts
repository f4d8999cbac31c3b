import type { SecretId } from '../domain/ids.ts';
import type { SecretSet } from './config.ts';

/** The names that have another value than before, of those that were there before and are there now. */
export const changedSecrets = (before: SecretSet, now: SecretSet): readonly SecretId[] => {
  const values = new Map([...before.active, ...before.retired].map(({ id, key }) => [id, key] as const));
  return [...now.active, ...now.retired]
    .filter(({ id, key }) => values.get(id)?.equals(key) === false)
    .map(({ id }) => id);
};
