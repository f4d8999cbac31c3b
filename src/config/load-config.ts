import { isIP } from 'node:net';
import { resolve } from 'node:path';
import * as apply from 'fp-ts/lib/Apply.js';
import * as E from 'fp-ts/lib/Either.js';
import { LOG_LEVELS } from '../telemetry/log-level.ts';
import { chainNodes } from './chain-nodes.ts';
import { collidingDatabase } from './colliding-databases.ts';
import { configError, quoted, type ConfigError } from './config-error.ts';
import type { Config } from './config.ts';
import type { Environment } from './environment.ts';
import type { RandomBytes } from './generated-file.ts';
import type { GeneratedValue } from './generated-secret.ts';
import { ledgerWitnesses } from './ledger-witnesses.ts';
import { configuredLogIdentity, logIdentity } from './load-log-identity.ts';
import { loadSecrets, type WhenMissing } from './load-secrets.ts';
import { matchVariables } from './match-variables.ts';
import { integerOr, oneOf, textOr } from './plain-variable.ts';
import { eventStoreLocation, prefixWarnings } from './event-store-location.ts';
import { misplacedDatabases } from './misplaced-databases.ts';
import { misspeltWarnings } from './misspelt-variables.ts';
import { openSecretWarnings } from './open-secret-files.ts';
import { placeWarnings, unsafePlace } from './places.ts';
import { publicUrl } from './public-url.ts';
import { readModelLocation } from './store-location.ts';
import { upstreamVariables } from './upstream-variables.ts';
import { timeZone } from './time-zone.ts';
import { VARIABLES } from './variables.ts';

/** `generate`: whether missing secrets may be generated and kept, as `serve` does; the command line only reads. */
export type LoadOptions = { readonly generate: boolean; readonly randomBytes: RandomBytes };

export type LoadedConfig = {
  readonly config: Config;
  /** To be logged by the caller: one line each, without the value of a secret. */
  readonly warnings: readonly string[];
  /** The files whose generated values are accepted: the start says where they are, never what they are. */
  readonly generatedFiles: readonly GeneratedValue[];
};

/** The largest body whose event fits every store (docs/spec/configuration.md, Sizes). */
const MOST_BODY_BYTES = 524_288;

/** A megabyte holds a few hundred deliveries, a gigabyte about half a million. */
const SPOOL_MAX_BYTES = { least: 1_048_576, most: 999_999_999_999, fallback: 1_073_741_824 };

/** A server that takes longer has a leader to elect, or is silent. Providers wait for some seconds. */
const SPOOL_AFTER_MS = { least: 50, most: 10_000, fallback: 500 };

/** A thousand a second is more than one ledger answers; a page that asks in a loop by mistake stays below its share. */
const QUERIES_PER_MINUTE = { least: 1, most: 999_999_999, fallback: 60_000 };

const all = apply.sequenceS(E.Apply);

/** A value that is taken as it is written, or refused. */
const checked = (
  env: Environment,
  variable: string,
  fallback: string,
  isRight: (text: string) => boolean,
  cure: string,
): E.Either<ConfigError, string> =>
  E.chain((text: string) =>
    isRight(text) ? E.right(text) : E.left(configError(variable, `${quoted(text)} is not valid`, cure)),
  )(textOr(env, variable, fallback));

/** A name whose last label is a number can only be meant for an IPv4 address, and is none (WHATWG URL, ends in a number). */
const isHostName = (text: string): boolean =>
  /^\w+(?:-+\w+)*(?:\.\w+(?:-+\w+)*)*$/.test(text) && !/(?:^|\.)\d+$/.test(text);

const isHost = (text: string): boolean => isIP(text) !== 0 || isHostName(text);

/** A token of RFC 9110, 5.6.2. */
const isHeaderName = (text: string): boolean => /^[!#$%&'*+\-.^_`|~\w]+$/.test(text);

/**
 * Headers that a request has for itself, or that the ledger reads for something else: no signature stands in them, and
 * each delivery would be refused, or its signature be where logs show it.
 */
const HEADERS_IN_USE: ReadonlySet<string> = new Set([
  'authorization',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'cookie',
  'expect',
  'forwarded',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'traceparent',
  'tracestate',
  'transfer-encoding',
  'upgrade',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-request-id',
]);

const isSignatureHeader = (text: string): boolean => isHeaderName(text) && !HEADERS_IN_USE.has(text.toLowerCase());

const webhookSettings = (env: Environment): E.Either<ConfigError, Config['webhooks']> =>
  all({
    signatureHeader: checked(
      env,
      'WEBHOOK_SIGNATURE_HEADER',
      'X-Service-Signature',
      isSignatureHeader,
      'give the name of a header that a request needs for nothing else, such as X-Service-Signature',
    ),
    signedForm: oneOf(env, 'WEBHOOK_SIGNED_FORM', ['bytes', 'json'], 'bytes'),
    maxBodyBytes: integerOr(env, 'WEBHOOK_MAX_BODY_BYTES', { least: 1, most: MOST_BODY_BYTES, fallback: 262_144 }),
    maxAgeSeconds: integerOr(env, 'WEBHOOK_MAX_AGE_SECONDS', { least: 1, most: 999_999_999, fallback: null }),
  });

const settings = (
  env: Environment,
  dataDir: string,
): E.Either<ConfigError, Omit<Config, 'secrets' | 'upstream' | 'logIdentity'>> =>
  all({
    host: checked(env, 'HOST', '127.0.0.1', isHost, 'give an IP address or a host name, without a port'),
    port: integerOr(env, 'PORT', { least: 0, most: 65_535, fallback: 8080 }),
    publicUrl: publicUrl(env),
    dataDir: E.right(dataDir),
    eventStore: eventStoreLocation(env, dataDir),
    readModel: readModelLocation(env, dataDir),
    spoolMaxBytes: integerOr(env, 'SPOOL_MAX_BYTES', SPOOL_MAX_BYTES),
    spoolAfterMs: integerOr(env, 'SPOOL_AFTER_MS', SPOOL_AFTER_MS),
    webhooks: webhookSettings(env),
    queriesPerMinute: integerOr(env, 'API_MAX_REQUESTS_PER_MINUTE', QUERIES_PER_MINUTE),
    businessTimeZone: timeZone(env),
    match: matchVariables(env),
    witnesses: ledgerWitnesses(env),
    chainNodes: chainNodes(env),
    logLevel: oneOf(env, 'LOG_LEVEL', LOG_LEVELS, 'info'),
  });

/**
 * Decodes the environment (docs/spec/configuration.md, Environment). Left is the first wrong variable, for one line on
 * standard error and exit status 2. An empty variable is wrong, not unset (see optionalText). Nothing is written unless
 * every value is right; then, with `generate`, the data directory and the missing secrets' files.
 */
export const loadConfig = (env: Environment, options: LoadOptions): E.Either<ConfigError, LoadedConfig> => {
  const dataDir = checked(env, 'DATA_DIR', './data', (text) => !text.includes('\0'), 'give the path of a folder');
  if (E.isLeft(dataDir)) return dataDir;
  const plain = settings(env, resolve(dataDir.right));
  if (E.isLeft(plain)) return plain;
  const colliding = collidingDatabase(plain.right);
  if (colliding !== null) return E.left(colliding);
  if (options.generate) {
    const unsafe = unsafePlace(plain.right, env);
    if (unsafe !== null) return E.left(unsafe);
    // What may pass keeps nobody from starting: who opens the database says what becomes of it.
    const misplaced = misplacedDatabases(plain.right).find(({ mayPass }) => !mayPass);
    if (misplaced !== undefined) return E.left(misplaced);
  }
  const { eventStore } = plain.right;
  const provider = upstreamVariables(env);
  if (E.isLeft(provider)) return provider;
  const { upstream, warnings: ofUpstream } = provider.right;
  const missing: WhenMissing = options.generate ? { _tag: 'generate', random: options.randomBytes } : { _tag: 'leave' };
  const configured = configuredLogIdentity(env);
  if (E.isLeft(configured)) return configured;
  const secrets = loadSecrets(env, plain.right, missing);
  if (E.isLeft(secrets)) return secrets;
  const identity = logIdentity(configured.right, plain.right.dataDir, missing);
  if (E.isLeft(identity)) return identity;
  const { generatedFiles } = secrets.right;
  const warnings = [
    ...misspeltWarnings(env, VARIABLES),
    ...prefixWarnings(env, eventStore),
    ...(options.generate ? placeWarnings(plain.right) : []),
    ...openSecretWarnings(env, plain.right.dataDir),
    ...secrets.right.warnings,
    ...ofUpstream,
  ];
  return E.right({
    config: { ...plain.right, upstream, logIdentity: identity.right, secrets: secrets.right.secrets },
    warnings,
    generatedFiles,
  });
};
