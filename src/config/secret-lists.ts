import { either as E } from 'fp-ts';
import { configError, type ConfigError } from './config-error.ts';
import type { ApiKey, WebhookSecret } from './config.ts';
import type { Environment } from './environment.ts';
import { parseApiKeys } from './parse-api-keys.ts';
import { parseWebhookSecrets } from './parse-webhook-secrets.ts';
import { secretSource, type SecretSource, type SecretVariable } from './secret-source.ts';

/** What the secret variables say; null where one is not set. */
export type SecretLists = {
  readonly active: readonly WebhookSecret[] | null;
  readonly retired: readonly WebhookSecret[];
  readonly apiKeys: readonly ApiKey[] | null;
  /** One line each. */
  readonly warnings: readonly string[];
};

type Read<A> = { readonly variable: string; readonly list: A; readonly warnings: readonly string[] };

const read = <A>(
  env: Environment,
  variable: SecretVariable,
  parse: (variable: string, text: string) => E.Either<ConfigError, A>,
): E.Either<ConfigError, Read<A> | null> =>
  E.chain((source: SecretSource | null): E.Either<ConfigError, Read<A> | null> => {
    if (source === null) return E.right(null);
    const { text, warnings } = source;
    return E.map((list: A) => ({ variable: source.variable, list, warnings }))(parse(source.variable, text));
  })(secretSource(env, variable));

/** Reads all three lists. An id names one secret, so it is not in both the active and the retired ones. */
export const readSecretLists = (env: Environment): E.Either<ConfigError, SecretLists> => {
  const active = read(env, 'WEBHOOK_SECRETS', parseWebhookSecrets);
  if (E.isLeft(active)) return active;
  const retired = read(env, 'WEBHOOK_RETIRED_SECRETS', parseWebhookSecrets);
  if (E.isLeft(retired)) return retired;
  const apiKeys = read(env, 'API_KEYS', parseApiKeys);
  if (E.isLeft(apiKeys)) return apiKeys;
  const activeIds = new Set(active.right?.list.map(({ id }) => id));
  const both = retired.right?.list.findIndex(({ id }) => activeIds.has(id)) ?? -1;
  if (active.right !== null && retired.right !== null && both !== -1) {
    return E.left(
      configError(
        retired.right.variable,
        `entry ${both + 1} has an id that ${active.right.variable} uses too`,
        'take it out of one of the two, or give it another id',
      ),
    );
  }
  return E.right({
    active: active.right?.list ?? null,
    retired: retired.right?.list ?? [],
    apiKeys: apiKeys.right?.list ?? null,
    warnings: [active.right, retired.right, apiKeys.right].flatMap((one) => one?.warnings ?? []),
  });
};
