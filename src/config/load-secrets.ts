import * as E from 'fp-ts/lib/Either.js';
import { configError, type ConfigError } from './config-error.ts';
import type { Secrets, SecretSet } from './config.ts';
import type { Environment } from './environment.ts';
import { errorCode } from './error-code.ts';
import { openAmong } from './open-to-others.ts';
import { generateOnce, readGenerated, type RandomBytes } from './generated-file.ts';
import {
  generatedFiles,
  generatedKey,
  generatedSecret,
  holdsGenerated,
  type GeneratedValue,
  withoutGeneratedId,
} from './generated-secret.ts';
import { isLoopback } from './loopback.ts';
import { readSecretLists, type SecretLists } from './secret-lists.ts';

/** Where the ledger listens and keeps its files: both decide about generated secrets. */
export type SecretPlace = { readonly host: string; readonly dataDir: string };

/**
 * What to do where neither a variable nor a generated file has a secret: `generate` one at the start (on a loopback host,
 * else refuse), or `leave` it out on the command line, which serves nobody.
 */
export type WhenMissing = { readonly _tag: 'generate'; readonly random: RandomBytes } | { readonly _tag: 'leave' };

export type LoadedSecrets = {
  readonly secrets: Secrets;
  /** One line each, without the value of a secret. */
  readonly warnings: readonly string[];
  /** The files whose generated values are accepted now, for the line that says where they are. */
  readonly generatedFiles: readonly GeneratedValue[];
};

/** What a look at variables and files while the ledger serves came to: what is valid now, and what is wrong with the rest. */
export type ReloadedSecrets = LoadedSecrets & { readonly errors: readonly ConfigError[] };

/**
 * On a host that others can reach, nothing is accepted that nobody chose (docs/spec/configuration.md, Generated
 * secrets).
 */
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

/** The generated secret is accepted only where none is configured; else it re-verifies old events, as long as its file is there. */
const secretSet = ({ active, retired }: SecretLists, generated: string | null): SecretSet => {
  const own = generated === null ? [] : [generatedSecret(generated)];
  if (active === null) return { active: own, retired };
  return { active, retired: holdsGenerated([...active, ...retired]) ? retired : [...retired, ...own] };
};

type Found = {
  readonly lists: SecretLists;
  /** Of the generated files; null where one is not there, or can't be read, or (the key's) is not asked for. */
  readonly secret: string | null;
  readonly key: string | null;
};

/** What is configured and kept now. Whatever can't be read is left out, beside its error. */
const find = (
  env: Environment,
  files: ReturnType<typeof generatedFiles>,
  read: (variable: string, path: string) => E.Either<ConfigError, string | null> = readGenerated,
): Found => {
  const lists = readSecretLists(env);
  const secret = read('WEBHOOK_SECRETS', files.webhookSecret);
  const key = lists.apiKeys === null ? read('API_KEYS', files.apiKey) : E.right(null);
  const errors = [...lists.errors, ...[secret, key].flatMap((one) => (E.isLeft(one) ? [one.left] : []))];
  const kept = E.isRight(secret) ? secret.right : null;
  return {
    lists: withoutGeneratedId({ ...lists, errors }, kept),
    secret: kept,
    key: E.isRight(key) ? key.right : null,
  };
};

/** @param before what the files had before anything was generated */
const loaded = (
  { lists, secret, key }: Found,
  files: ReturnType<typeof generatedFiles>,
  before: Pick<Found, 'secret' | 'key'>,
): LoadedSecrets => ({
  secrets: {
    webhook: secretSet(lists, secret),
    apiKeys: lists.apiKeys ?? (key === null ? [] : [generatedKey(key)]),
  },
  warnings: lists.warnings,
  generatedFiles: [
    ...(lists.active === null && secret !== null
      ? [{ file: files.webhookSecret, variable: 'WEBHOOK_SECRETS', isNew: before.secret === null } as const]
      : []),
    ...(key === null ? [] : [{ file: files.apiKey, variable: 'API_KEYS', isNew: before.key === null } as const]),
  ],
});

/**
 * Loads what can change without a restart (docs/spec/configuration.md, Webhook secrets, API keys). Nothing is written
 * unless all that is configured is right.
 */
export const loadSecrets = (
  env: Environment,
  { host, dataDir }: SecretPlace,
  missing: WhenMissing,
): E.Either<ConfigError, LoadedSecrets> => {
  const files = generatedFiles(dataDir);
  const found = find(env, files);
  const { lists } = found;
  const [wrong] = lists.errors;
  if (wrong !== undefined) return E.left(wrong);
  const allowed = checkHost(lists, host, missing);
  if (E.isLeft(allowed)) return allowed;
  if (missing._tag === 'leave') return E.right(loaded(found, files, found));
  const orGenerated = (variable: string, path: string, kept: string | null, configured: boolean) =>
    kept !== null || configured ? E.right(kept) : generateOnce(variable, path, missing.random);
  const secret = orGenerated('WEBHOOK_SECRETS', files.webhookSecret, found.secret, lists.active !== null);
  if (E.isLeft(secret)) return secret;
  const key = orGenerated('API_KEYS', files.apiKey, found.key, lists.apiKeys !== null);
  if (E.isLeft(key)) return key;
  return E.right(loaded({ lists, secret: secret.right, key: key.right }, files, found));
};

/**
 * Reads generated files that nobody else can have put there. What was the ledger's at the start can be exchanged while it
 * serves by who may write to a folder above its data directory. The directory and the file alone are looked at: whatever
 * else somebody puts beside them has no say. What can't be looked at is not read.
 */
const readOwn =
  (dataDir: string): typeof readGenerated =>
  (variable, path) => {
    const looked = E.tryCatch(
      () => openAmong([dataDir, path], process.getuid?.() ?? null),
      (error) =>
        configError(
          variable,
          `${path} could not be looked at (${errorCode(error)})`,
          `see that the ledger's user can read ${dataDir}`,
        ),
    );
    if (E.isLeft(looked)) return looked;
    const [found] = looked.right;
    return found === undefined
      ? readGenerated(variable, path)
      : E.left(configError(variable, found.detail, found.cure));
  };

const gone = (variable: string, path: string): ConfigError =>
  configError(variable, `it is not set, and ${path} is not there`, `set ${variable} and start the ledger anew`);

/**
 * Reads the same again while the ledger serves. A secret or key that is not there, validly, any more is not valid any
 * more: whoever empties, removes or spoils a file has taken its keys back. Entries that can be read stay.
 */
export const reloadSecrets = (env: Environment, dataDir: string): ReloadedSecrets => {
  const files = generatedFiles(dataDir);
  const found = find(env, files, readOwn(dataDir));
  const { active, apiKeys, errors } = found.lists;
  const missing = [
    ...(active === null && found.secret === null ? [gone('WEBHOOK_SECRETS', files.webhookSecret)] : []),
    ...(apiKeys === null && found.key === null ? [gone('API_KEYS', files.apiKey)] : []),
  ];
  return {
    ...loaded(found, files, found),
    // A generated file that is there and can't be read has an error of its own.
    errors: [...errors, ...missing.filter(({ variable }) => !errors.some((one) => one.variable === variable))],
  };
};
