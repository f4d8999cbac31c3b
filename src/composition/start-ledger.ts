import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { either as E } from 'fp-ts';
import type { CommandFailure } from '../cli/command-context.ts';
import { configErrorLine, loadConfig, type Config, type Environment } from '../config/index.ts';
import { openServing } from '../event-store/sqlite/sqlite-event-store.ts';
import { listen } from '../http/http-server.ts';
import { quarantinedBodies } from '../ledger/quarantined-bodies.ts';
import { openGenerations } from '../read-models/sqlite/sqlite-projections.ts';
import { createLog, type Log } from '../telemetry/logger.ts';
import { startReadModels, type ThreadedReadModels } from '../threads/threaded-read-models.ts';
import { application, newRequestId } from './application.ts';
import { currentSecrets } from './current-secrets.ts';
import { placeOf } from './place.ts';
import { logReadModels, type ReadModelsLog } from './read-models-log.ts';

/** A ledger that serves. */
export type RunningLedger = {
  /** Where it answers. */
  readonly url: string;
  readonly config: Config;
  readonly log: Log;
  /** Finishes what is under way, cuts off the rest, and closes the files. */
  readonly stop: () => Promise<void>;
};

const failure = (status: CommandFailure['status'], line: string): E.Either<CommandFailure, never> =>
  E.left({ status, line });

const readModelsOf = (config: Config, { onEvent }: ReadModelsLog): ThreadedReadModels =>
  startReadModels(
    { place: placeOf(config), readModelFile: config.readModel.file, timeZone: config.businessTimeZone },
    onEvent,
  );

/** Starts the ledger; resolves when it is listening and has said so. */
export const startLedger = async (env: Environment): Promise<E.Either<CommandFailure, RunningLedger>> => {
  const loaded = loadConfig(env, { generate: true, randomBytes });
  if (E.isLeft(loaded)) return failure(2, configErrorLine(loaded.left));
  const { config, warnings, generatedFiles } = loaded.right;
  let readModels: ThreadedReadModels | null = null;
  const opened = await openServing(placeOf(config), () => readModels?.appended());
  if (E.isLeft(opened)) return failure(opened.left._tag === 'DataDirUnusable' ? 2 : 1, opened.left.detail);
  const store = opened.right;
  // Another program's file is a wrong setting; a damaged one of ours is no reason to refuse deliveries.
  const generations = openGenerations(config.readModel.file);
  if (E.isRight(generations)) generations.right.close();
  else if (generations.left._tag === 'GenerationsForeign') {
    await store.close();
    return failure(1, generations.left.detail);
  }
  const quarantined = await quarantinedBodies(store)();
  if (E.isLeft(quarantined)) {
    await store.close();
    return failure(1, quarantined.left.detail);
  }
  const log = createLog(config.logLevel, process.stdout.isTTY);
  const { logger } = log;
  const secrets = currentSecrets(env, config, log);
  const readModelsLog = logReadModels(logger);
  const started = readModelsOf(config, readModelsLog);
  readModels = started;
  const parts = { config, store, readModels: started, quarantined: quarantined.right, secrets: secrets.get, log };
  const handle = application(parts).callback();
  const listener: RequestListener = (request, response) => void handle(request, response);
  const server = await listen(listener, config.host, config.port, newRequestId);
  const closeAll = async (): Promise<void> => {
    await started.close();
    await store.close();
    secrets.stop();
  };
  if (E.isLeft(server)) {
    await closeAll();
    return failure(1, server.left.detail);
  }
  const { url, close } = server.right;
  for (const warning of warnings) logger.warn(warning);
  for (const file of generatedFiles) logger.info({ file }, 'generated, since none is configured');
  log.announce({ url }, 'listening');
  readModelsLog.begin();
  const stop = async (): Promise<void> => {
    await close();
    await closeAll();
  };
  return E.right({ url, config, log, stop });
};
