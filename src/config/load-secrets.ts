import { either as E } from 'fp-ts';
import { configError, type ConfigError } from './config-error.ts';
import type { Secrets, SecretSet } from './config.ts';
import type { Environment } from './environment.ts';
import { generateOnce, readGenerated, type RandomBytes } from './generated-file.ts';
import { checkGeneratedId, generatedFiles, generatedKey, generatedSecret, holdsGenerated } from './generated-secret.ts';
import { isLoopback } from './loopback.ts';
import { readSecretLists, type SecretLists } from './secret-lists.ts';

/** Where the ledger listens and keeps its files: both decide about generated secrets. */
export type SecretPlace = { readonly host: string; readonly dataDir: string };

/**
 * What to do where neither a variable nor a generated file has a secret: `generate` one at the start (on a loopback host,
 * else refuse), `refuse` at a reload, `leave` it out on the command line, which serves nobody.
 */
export type WhenMissing =
  | { readonly _tag: 'generate'; readonly random: RandomBytes }
  | { readonly _tag: 'refuse' }
  | { readonly _tag: 'leave' };

export type LoadedSecrets = {
  readonly secrets: Secrets;
  /** One line each, without the value of a secret. */
  readonly warnings: readonly string[];
  /** The files whose generated values are accepted now, for the line that says where they are. */
  readonly generatedFiles: readonly string[];
};

/** On a host that others can reach, nothing is accepted that nobody chose (contract.md, Commands in a checkout). */
const checkHost = (lists: SecretLists, host: string, missing: WhenMissing): E.Either<ConfigError, null> => {
  if (missing._tag === 'leave' || isLoopback(host)) return E.right(null);
  const variable = lists.active === null ? 'WEBHOOK_SECRETS' : lists.apiKeys === null ? 'API_KEYS' : null;
  return variable === null
    ? E.right(null)
    : E.left(
        configError(
          variable,
          'it is not set, and HOST is not a loopback address',
          `set ${variable} or ${variable}_FILE, or a HOST such as 127.0.0.1`,
        ),
      );
};

/** A value that the configuration lacks: the kept one, a new one, or none. */
const fill = (
  variable: string,
  path: string,
  kept: string | null,
  missing: WhenMissing,
): E.Either<ConfigError, string | null> => {
  if (kept !== null || missing._tag === 'leave') return E.right(kept);
  return missing._tag === 'generate'
    ? generateOnce(variable, path, missing.random)
    : E.left(
        configError(variable, `it is not set, and ${path} is not there`, `set ${variable} and start the ledger anew`),
      );
};

/** The generated secret is accepted only where none is configured; else it re-verifies old events, as long as its file is there. */
const secretSet = ({ active, retired }: SecretLists, generated: string | null): SecretSet => {
  const own = generated === null ? [] : [generatedSecret(generated)];
  if (active === null) return { active: own, retired };
  return { active, retired: holdsGenerated([...active, ...retired]) ? retired : [...retired, ...own] };
};

/**
 * Loads what can change without a restart (contract.md, WEBHOOK_SECRETS, WEBHOOK_RETIRED_SECRETS, API_KEYS). Nothing is
 * written unless all that is configured is right.
 */
export const loadSecrets = (
  env: Environment,
  { host, dataDir }: SecretPlace,
  missing: WhenMissing,
): E.Either<ConfigError, LoadedSecrets> => {
  const files = generatedFiles(dataDir);
  const read = readSecretLists(env);
  if (E.isLeft(read)) return read;
  const lists = read.right;
  const allowed = checkHost(lists, host, missing);
  if (E.isLeft(allowed)) return allowed;
  const keptSecret = readGenerated('WEBHOOK_SECRETS', files.webhookSecret);
  if (E.isLeft(keptSecret)) return keptSecret;
  const keptKey = lists.apiKeys === null ? readGenerated('API_KEYS', files.apiKey) : E.right(null);
  if (E.isLeft(keptKey)) return keptKey;
  const unambiguous = checkGeneratedId(lists, keptSecret.right);
  if (E.isLeft(unambiguous)) return unambiguous;

  const secret =
    lists.active === null ? fill('WEBHOOK_SECRETS', files.webhookSecret, keptSecret.right, missing) : keptSecret;
  if (E.isLeft(secret)) return secret;
  const key = lists.apiKeys === null ? fill('API_KEYS', files.apiKey, keptKey.right, missing) : keptKey;
  if (E.isLeft(key)) return key;
  const ownKeys = key.right === null ? [] : [generatedKey(key.right)];
  return E.right({
    secrets: { webhook: secretSet(lists, secret.right), apiKeys: lists.apiKeys ?? ownKeys },
    warnings: lists.warnings,
    generatedFiles: [
      ...(lists.active === null && secret.right !== null ? [files.webhookSecret] : []),
      ...(key.right === null ? [] : [files.apiKey]),
    ],
  });
};
