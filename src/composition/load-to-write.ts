import { randomBytes } from 'node:crypto';
import * as E from 'fp-ts/lib/Either.js';
import { configError } from '../config/config-error.ts';
import {
  isLoopback,
  loadConfig,
  misplacedDatabases,
  type Config,
  type ConfigError,
  type Environment,
  type LoadedConfig,
} from '../config/index.ts';
import { unsafePlace } from '../config/places.ts';
import { lostSecret, secretUses } from '../doctor/secret-uses.ts';
import { examineLog } from './doctor/examine-log.ts';
import { ledgerLocation } from './ledger-location.ts';

/** A start waits no longer for an event store that does not answer. */
const LOOK_WITHIN_MS = 3_000;

/** Nothing is opened where a start is refused anyway: a pipe, say, would never answer. */
const mayBeOpened = (config: Config, env: Environment): boolean =>
  unsafePlace(config, env) === null && misplacedDatabases(config, ['EVENT_STORE_URL']).length === 0;

/** Why no webhook secret may be generated where none is configured, and none is kept; null where it may be. */
const refusal = async (config: Config, env: Environment): Promise<ConfigError | null> => {
  if (config.secrets.webhook.active.length > 0 || !isLoopback(config.host) || !mayBeOpened(config, env)) return null;
  const log = await examineLog(ledgerLocation(config), null, null, LOOK_WITHIN_MS);
  const lost = lostSecret(config.secrets.webhook, secretUses(log));
  return lost === null ? null : configError('WEBHOOK_SECRETS', lost.detail, lost.cure);
};

/**
 * Loads the configuration of who writes events, and generates what is missing: a webhook secret too, but where the newest 5,000
 * events say that there was one before (docs/spec/configuration.md, Generated secrets). A store that does not answer says nothing.
 */
export const loadToWrite = async (env: Environment): Promise<E.Either<ConfigError, LoadedConfig>> => {
  const kept = loadConfig(env, { generate: false, randomBytes });
  const refused = E.isLeft(kept) ? null : await refusal(kept.right.config, env);
  return refused === null ? loadConfig(env, { generate: true, randomBytes }) : E.left(refused);
};
