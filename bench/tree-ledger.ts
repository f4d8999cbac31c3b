/**
 * The ledger of its environment as `serve` starts it, or the same one without a tree of its log, which then signs nothing,
 * where `BENCH_TREE` is `none`. It says where it listens as the ledger does.
 */
import { randomBytes } from 'node:crypto';
import * as E from 'fp-ts/lib/Either.js';
import { assemble } from '../src/composition/ledger/assemble.ts';
import { currentSecrets } from '../src/composition/ledger/current-secrets.ts';
import { newRequestId } from '../src/composition/new-request-id.ts';
import { loadConfig } from '../src/config/index.ts';
import { createLog } from '../src/telemetry/logger.ts';
import { systemClock } from '../src/telemetry/system-clock.ts';

const settings = loadConfig(process.env, { generate: true, randomBytes });
if (E.isLeft(settings)) throw new Error('the environment is wrong');
const { config } = settings.right;
const log = await createLog(config.logLevel, false);
const secrets = currentSecrets(process.env, config, log);
const identity = process.env['BENCH_TREE'] === 'none' ? null : config.logIdentity;
const ledger = await assemble(
  { ...config, logIdentity: identity },
  { now: systemClock(), newRequestId, secrets: secrets.get, log: log.logger, onRequest: log.request },
);
if (E.isLeft(ledger)) throw new Error(ledger.left.line);
process.once('SIGTERM', () => {
  void ledger.right.stop().then(() => secrets.stop());
});
const started = await ledger.right.start((url) => log.announce({ url }, 'listening'));
if (E.isLeft(started)) throw new Error(started.left.line);
