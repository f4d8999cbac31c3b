import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { either as E } from 'fp-ts';
import { failing, type CommandFailure } from '../../cli/command-failure.ts';
import { configErrorLine, loadConfig, type Config, type Environment, type Secrets } from '../../config/index.ts';
import { listen } from '../../http/http-server.ts';
import { KnownQuarantine } from '../../ledger/quarantined-bodies.ts';
import { RecentOrders } from '../../ledger/recent-orders.ts';
import { openGenerations } from '../../read-models/sqlite/sqlite-projections.ts';
import { createLog, type Log } from '../../telemetry/logger.ts';
import { systemClock } from '../../telemetry/system-clock.ts';
import { removeLeftCopies } from '../../threads/local-log.ts';
import type { OnThreadState } from '../../threads/lasting-thread.ts';
import { startReadModels, type ReadModelsEvents, type ThreadedReadModels } from '../../threads/threaded-read-models.ts';
import { startStreams, type ThreadedStreams } from '../../threads/threaded-streams.ts';
import { application } from './application.ts';
import { currentSecrets } from './current-secrets.ts';
import { newRequestId } from '../new-request-id.ts';
import { openServingStore } from './open-serving-store.ts';
import { ledgerMetrics } from './ledger-metrics.ts';
import { ledgerLocation } from '../ledger-location.ts';
import { Notices } from './notices.ts';
import { logReadModels } from './read-models-log.ts';
import { readModelsMeter } from './read-models-meter.ts';
import { startRecording } from './start-recording.ts';
import { ThreadStates } from './thread-states.ts';
import { logStore } from './store-log.ts';

/** A ledger that serves. */
export type RunningLedger = {
  /** Where it answers. */
  readonly url: string;
  readonly config: Config;
  readonly log: Log;
  /** Finishes what is under way, cuts off the rest, and closes the files. */
  readonly stop: () => Promise<void>;
};

/** Orders whose next delivery is decided without reading; some 500 bytes each. */
const RECENT_ORDERS = 50_000;

const readModelsOf = (config: Config, onEvent: ReadModelsEvents, onState: OnThreadState): ThreadedReadModels =>
  startReadModels(
    { location: ledgerLocation(config), readModelFile: config.readModel.file, timeZone: config.businessTimeZone },
    onEvent,
    onState,
  );

const streamsOf = (config: Config, secrets: () => Secrets, onState: OnThreadState): ThreadedStreams => {
  const keys = () => {
    const { active, retired } = secrets().webhook;
    return [...active, ...retired].map(({ id, key }) => ({ id, key: key.toString('hex') }));
  };
  return startStreams({ location: ledgerLocation(config), readModelFile: config.readModel.file }, keys, onState);
};

/** Starts the ledger; resolves when it is listening and has said so. */
export const startLedger = async (env: Environment): Promise<E.Either<CommandFailure, RunningLedger>> => {
  const settings = loadConfig(env, { generate: true, randomBytes });
  if (E.isLeft(settings)) return failing(2, configErrorLine(settings.left));
  const { config, warnings, generatedFiles } = settings.right;
  const log = await createLog(config.logLevel, process.stdout.isTTY);
  const { logger } = log;
  const storeLog = logStore(logger);
  const metrics = ledgerMetrics(config);
  const commits = new Notices<void>();
  const quarantine = new KnownQuarantine();
  // Nobody else writes to the quarantine of an embedded store.
  quarantine.follow(config.eventStore.kind === 'sqlite');
  const opened = await openServingStore(ledgerLocation(config), {
    metrics: metrics.appends,
    onCommit: commits.tell,
    onSeen: (events) => quarantine.saw(events.map(({ stream }) => stream)),
    onState: (problem) => {
      quarantine.follow(problem === null);
      storeLog.onState(problem);
    },
  });
  if (E.isLeft(opened)) return opened;
  const store = opened.right;
  removeLeftCopies(config.dataDir);
  const refused = async (line: string): Promise<E.Either<CommandFailure, never>> => {
    await store.close();
    return failing(1, line);
  };
  // Another program's file is a wrong setting; a damaged one of ours is no reason to refuse deliveries.
  const generations = openGenerations(config.readModel.file);
  if (E.isRight(generations)) generations.right.close();
  else if (generations.left._tag === 'GenerationsForeign') return refused(generations.left.detail);
  // A store on another machine may be away, and its quarantine takes a while to read: deliveries are spooled meanwhile.
  const loaded = quarantine.load(store)();
  const quarantined = config.eventStore.kind === 'sqlite' ? await loaded : E.right(undefined);
  if (E.isLeft(quarantined)) return refused(quarantined.left.detail);
  const recent = new RecentOrders(RECENT_ORDERS);
  const recording = startRecording({ config, store, recent, quarantine, log: storeLog, now: systemClock() });
  if (E.isLeft(recording)) return refused(recording.left);
  const { record, readiness, spool } = recording.right;
  const secrets = currentSecrets(env, config, log);
  const readModelsLog = logReadModels(logger);
  const meter = readModelsMeter(metrics.readModels);
  const threads = new ThreadStates(logger, systemClock());
  const readModels = readModelsOf(
    config,
    (message) => {
      meter.onEvent(message);
      readModelsLog.onEvent(message);
    },
    threads.onState,
  );
  commits.listen(readModels.appended);
  const streams = streamsOf(config, secrets.get, threads.onState);
  commits.listen(streams.appended);
  const closing = new AbortController();
  const handle = application({
    config,
    store,
    recent,
    metrics,
    record,
    readiness,
    spool,
    readModels,
    streams,
    closing: closing.signal,
    generation: meter.generation,
    threads,
    secrets: secrets.get,
    log,
  }).callback();
  const listener: RequestListener = (request, response) => void handle(request, response);
  const server = await listen(listener, config.host, config.port, newRequestId);
  const closeAll = async (): Promise<void> => {
    // A store that does not answer keeps each of them for a while: they wait side by side.
    await Promise.all([recording.right.close(), readModels.close(), streams.close()]);
    await store.close();
    secrets.stop();
  };
  if (E.isLeft(server)) {
    await closeAll();
    return failing(1, server.left.detail);
  }
  const { url, close } = server.right;
  for (const warning of warnings) logger.warn(warning);
  for (const file of generatedFiles) logger.info({ file }, 'generated, since none is configured');
  log.announce({ url }, 'listening');
  storeLog.begin();
  readModelsLog.begin();
  const stop = async (): Promise<void> => {
    closing.abort();
    await close();
    await closeAll();
  };
  return E.right({ url, config, log, stop });
};
