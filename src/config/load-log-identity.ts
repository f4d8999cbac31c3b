import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { LogIdentity } from '../proofs/checkpoint.ts';
import { originNow } from '../proofs/files/accepted-losses.ts';
import { noteKeyBegun } from '../proofs/files/begun-here.ts';
import { UnusableFile } from '../files/unusable-file.ts';
import { configError, quoted, type ConfigError } from './config-error.ts';
import type { Environment } from './environment.ts';
import { generateOnce, readGenerated, type GeneratedKind } from './generated-file.ts';
import type { WhenMissing } from './load-secrets.ts';
import { isOrigin, originFile } from './origin-file.ts';
import { optionalText } from './plain-variable.ts';
import { secretSource, type SecretSource } from './secret-source.ts';

const ORIGIN = 'LEDGER_ORIGIN';
const SIGNING_KEY = 'LEDGER_SIGNING_KEY';
const RETIRED_KEY = 'LEDGER_RETIRED_SIGNING_KEY';

/** An Ed25519 key in PKCS#8 PEM; null for anything else. */
const signingKeyIn = (pem: string): KeyObject | null => {
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyType === 'ed25519' ? key : null;
  } catch {
    return null;
  }
};

/** What stands before the 32 bytes of a key in its PKCS#8 form. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

const signingKeyFile = (dataDir: string): GeneratedKind => ({
  make: (random) => {
    const key = createPrivateKey({ key: Buffer.concat([PKCS8, random(32)]), format: 'der', type: 'pkcs8' });
    noteKeyBegun(dataDir, key);
    return key.export({ format: 'pem', type: 'pkcs8' }).trimEnd();
  },
  is: (text) => signingKeyIn(text) !== null,
  form: 'an Ed25519 key in PKCS#8 PEM',
});

/** What the environment says of the log; null where it says nothing. */
type Configured = {
  readonly origin: string | null;
  readonly signingKey: KeyObject | null;
  readonly retiredKey: KeyObject | null;
};

const origin = (env: Environment): E.Either<ConfigError, string | null> =>
  E.chain((text: string | null): E.Either<ConfigError, string | null> =>
    text === null || isOrigin(text)
      ? E.right(text)
      : E.left(
          configError(
            ORIGIN,
            `${quoted(text)} is not valid`,
            'give one line without blanks and +, such as example.com/log',
          ),
        ),
  )(optionalText(env, ORIGIN));

const keyIn = (
  env: Environment,
  variable: typeof SIGNING_KEY | typeof RETIRED_KEY,
): E.Either<ConfigError, KeyObject | null> =>
  E.chain((source: SecretSource | null): E.Either<ConfigError, KeyObject | null> => {
    if (source === null) return E.right(null);
    const key = signingKeyIn(source.text);
    return key === null
      ? E.left(
          configError(
            source.variable,
            'it is no Ed25519 key in PKCS#8 PEM',
            'make one with openssl genpkey -algorithm ed25519',
          ),
        )
      : E.right(key);
  })(secretSource(env, variable));

/** Reads what the environment says of the log (docs/spec/configuration.md, Log identity). */
export const configuredLogIdentity = (env: Environment): E.Either<ConfigError, Configured> =>
  pipe(
    E.Do,
    E.bind('origin', () => origin(env)),
    E.bind('signingKey', () => keyIn(env, SIGNING_KEY)),
    E.bind('retiredKey', () => keyIn(env, RETIRED_KEY)),
  );

const samePublicKey = (one: KeyObject, other: KeyObject): boolean =>
  createPublicKey(one).equals(createPublicKey(other));

/** The key before the one of now: the configured one, or what a generated key was renamed to. */
const retiredKey = ({ retiredKey: configured }: Configured, dataDir: string): E.Either<ConfigError, KeyObject | null> =>
  configured !== null
    ? E.right(configured)
    : E.map((pem: string | null) => (pem === null ? null : signingKeyIn(pem)))(
        readGenerated(RETIRED_KEY, join(dataDir, 'retired-signing-key'), signingKeyFile(dataDir)),
      );

/** What was generated once and is kept in the data directory; null where it is not there and nothing may be generated. */
const kept = (
  variable: string,
  path: string,
  missing: WhenMissing,
  kind: GeneratedKind,
): E.Either<ConfigError, string | null> =>
  E.chain((value: string | null): E.Either<ConfigError, string | null> =>
    value === null && missing._tag === 'generate' ? generateOnce(variable, path, missing.random, kind) : E.right(value),
  )(readGenerated(variable, path, kind));

/** What the log is called now; null where nothing says it and nothing may be generated. */
const nameNow = (
  configured: string | null,
  dataDir: string,
  missing: WhenMissing,
): E.Either<ConfigError, string | null> => {
  try {
    return pipe(
      configured === null ? kept(ORIGIN, join(dataDir, 'origin'), missing, originFile(dataDir)) : E.right(configured),
      E.map((name) => (name === null ? null : originNow(dataDir, name))),
    );
  } catch (error) {
    if (error instanceof UnusableFile) return E.left(configError('DATA_DIR', error.detail, error.cure));
    const cure = 'make the files in the data directory readable for the user that the ledger runs as';
    return E.left(configError('DATA_DIR', "its file accepted-losses or log-keys can't be read", cure));
  }
};

/**
 * What checkpoints are signed with: what is configured, and for the rest what was generated once and is kept in the data
 * directory. Null where neither is there and nothing may be generated.
 */
export const logIdentity = (
  configured: Configured,
  dataDir: string,
  missing: WhenMissing,
): E.Either<ConfigError, LogIdentity | null> => {
  const name = nameNow(configured.origin, dataDir, missing);
  if (E.isLeft(name)) return name;
  const pem =
    configured.signingKey === null
      ? kept(SIGNING_KEY, join(dataDir, 'signing-key'), missing, signingKeyFile(dataDir))
      : E.right(null);
  if (E.isLeft(pem)) return pem;
  const key = configured.signingKey ?? (pem.right === null ? null : signingKeyIn(pem.right));
  const retired = retiredKey(configured, dataDir);
  if (E.isLeft(retired)) return retired;
  if (name.right === null || key === null) return E.right(null);
  if (retired.right !== null && samePublicKey(retired.right, key)) {
    return E.left(configError(RETIRED_KEY, 'it is the key that signs now', 'give the key before it, or leave it out'));
  }
  const isConfigured = configured.origin !== null && configured.signingKey !== null;
  return E.right({ origin: name.right, signingKey: key, retiredKey: retired.right, isConfigured });
};
