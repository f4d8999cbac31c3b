import * as E from 'fp-ts/lib/Either.js';
import { configError, type ConfigError } from './config-error.ts';
import type { ApiKey, WebhookSecret } from './config.ts';
import type { Environment } from './environment.ts';
import { parseApiKeys } from './parse-api-keys.ts';
import { parseRetiredSecrets, parseWebhookSecrets } from './parse-webhook-secrets.ts';
import type { ReadEntries } from './secret-entries.ts';
import { type SecretVariable } from './file-secrets.ts';
import { secretSource } from './secret-source.ts';

/**
 * What the secret variables say; null where a variable is not set. A variable that is set and can't be read gives an empty
 * list and an error, never null: a generated secret must not replace one that was configured.
 */
export type SecretLists = {
  readonly active: readonly WebhookSecret[] | null;
  readonly retired: readonly WebhookSecret[];
  readonly apiKeys: readonly ApiKey[] | null;
  /** One line each. */
  readonly warnings: readonly string[];
  /** What can't be read, in the order of the variables. */
  readonly errors: readonly ConfigError[];
};

type Read<A> = ReadEntries<A> & { readonly variable: string; readonly warnings: readonly string[] };

const read = <A>(
  env: Environment,
  variable: SecretVariable,
  parse: (variable: string, text: string) => ReadEntries<A>,
): Read<A> | null => {
  const source = secretSource(env, variable);
  if (E.isLeft(source)) return { variable, entries: [], errors: [source.left], warnings: [] };
  if (source.right === null) return null;
  const { text, warnings } = source.right;
  return { variable: source.right.variable, ...parse(source.right.variable, text), warnings };
};

/** An id names one secret: where both lists have it, it stays among the accepted ones. */
const withoutShared = (retired: Read<WebhookSecret>, active: Read<WebhookSecret>): Read<WebhookSecret> => {
  const taken = new Set(active.entries.map(({ id }) => id));
  const at = retired.entries.findIndex(({ id }) => taken.has(id));
  if (at === -1) return retired;
  const error = configError(
    retired.variable,
    `entry ${at + 1} has an id that ${active.variable} uses too`,
    'take it out of one of the two, or give it another id',
  );
  return {
    ...retired,
    entries: retired.entries.filter(({ id }) => !taken.has(id)),
    errors: [...retired.errors, error],
  };
};

/** Reads all three lists. */
export const readSecretLists = (env: Environment): SecretLists => {
  const active = read(env, 'WEBHOOK_SECRETS', parseWebhookSecrets);
  const all = read(env, 'WEBHOOK_RETIRED_SECRETS', parseRetiredSecrets);
  const retired = active === null || all === null ? all : withoutShared(all, active);
  const apiKeys = read(env, 'API_KEYS', parseApiKeys);
  const lists = [active, retired, apiKeys];
  return {
    active: active?.entries ?? null,
    retired: retired?.entries ?? [],
    apiKeys: apiKeys?.entries ?? null,
    warnings: lists.flatMap((one) => one?.warnings ?? []),
    errors: lists.flatMap((one) => one?.errors ?? []),
  };
};
