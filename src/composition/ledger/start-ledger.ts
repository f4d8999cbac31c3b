import { randomBytes } from 'node:crypto';
import * as E from 'fp-ts/lib/Either.js';
import { failing, type CommandFailure } from '../../cli/command-failure.ts';
import { configErrorLine, type Config, type Environment } from '../../config/index.ts';
import { generatedWords } from '../../config/generated-secret.ts';
import { drawnLineKey } from '../../domain/line-key.ts';
import { createLog, type Log } from '../../telemetry/logger.ts';
import { systemClock } from '../../telemetry/system-clock.ts';
import { exchangedSecret } from '../../doctor/secret-uses.ts';
import { epochMsOf } from '../../domain/instant.ts';
import { proveSecrets, type SecretsLook } from '../doctor/proven-at-start.ts';
import { loadToWrite } from '../load-to-write.ts';
import { mostOpenFiles } from '../most-open-files.ts';
import { newRequestId } from '../new-request-id.ts';
import { assemble } from './assemble.ts';
import { currentSecrets } from './current-secrets.ts';

/** A ledger that serves. */
export type RunningLedger = {
  /** Where it answers. */
  readonly url: string;
  readonly config: Config;
  readonly log: Log;
  /** Finishes what is under way, cuts off the rest, and closes the files. */
  readonly stop: () => Promise<void>;
};

/** Starts the ledger of an environment; resolves when it is listening and has said so. */
export const startLedger = async (env: Environment): Promise<E.Either<CommandFailure, RunningLedger>> => {
  const settings = await loadToWrite(env);
  if (E.isLeft(settings)) return failing(2, configErrorLine(settings.left));
  const { config, warnings, generatedFiles } = settings.right;
  const log = await createLog(config.logLevel, process.stdout.isTTY);
  const now = systemClock();
  const secrets = currentSecrets(env, config, log);
  const ledger = await assemble(config, {
    now,
    newRequestId,
    drawLineKey: () => drawnLineKey(randomBytes),
    openFiles: mostOpenFiles(),
    secrets: secrets.get,
    log: log.logger,
    onRequest: log.request,
    onCutOff: log.cutOff,
    logLinesLost: log.lost,
  });
  if (E.isLeft(ledger)) {
    secrets.stop();
    return ledger;
  }
  let look: SecretsLook | null = null;
  const stop = async (): Promise<void> => {
    await Promise.all([ledger.right.stop(), look?.close()]);
    secrets.stop();
  };
  const startedMs = epochMsOf(now());
  const started = await ledger.right.start((url) => {
    for (const warning of warnings) log.logger.warn(warning);
    for (const generated of generatedFiles) log.logger.info({ file: generated.file }, generatedWords(generated));
    log.announce({ url }, 'listening');
  });
  if (E.isRight(started)) {
    look = proveSecrets(config, startedMs, (secretId) => {
      const { cure } = exchangedSecret(secretId);
      log.logger.error(
        { secretId, cure },
        'a secret has another value than the newest event of its name was signed with: such events are called forged',
      );
    });
    return E.right({ url: started.right, config, log, stop });
  }
  await stop();
  return started;
};
