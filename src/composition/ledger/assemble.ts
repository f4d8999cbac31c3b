import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { failing, type CommandFailure } from '../../cli/command-failure.ts';
import { ARRIVALS_FILE, keepArrivals } from '../../arrivals/arrivals-file.ts';
import type { Config } from '../../config/index.ts';
import type { ToldState } from '../../doctor/told-state.ts';
import type { EventStore, Readiness } from '../../event-store/event-store.ts';
import { held } from '../../event-store/kept-place.ts';
import { lockOf } from '../../event-store/sqlite/data-dir-lock.ts';
import { MetDamage } from '../../event-store/sqlite/met-damage.ts';
import { troubleLine } from '../../domain/trouble.ts';
import { epochMsOf } from '../../domain/instant.ts';
import { connectionsTaken } from '../../http/connections/connections-taken.ts';
import { listen, type HttpServer } from '../../http/http-server.ts';
import { KnownQuarantine } from '../../ledger/quarantined-bodies.ts';
import { RecentOrders } from '../../ledger/recent-orders.ts';
import { isKeeperNews } from '../../proofs/keeper-news.ts';
import { noProofLog } from '../../proofs/no-proof-log.ts';
import { serveLog } from '../../proofs/serve-log.ts';
import { folderLost } from '../../threads/ledger-location.ts';
import { SPOOL_THREAD } from '../../threads/threaded-spool.ts';
import { toldTogether } from '../../concurrency/told-together.ts';
import { emptiedStore } from '../emptied-store.ts';
import { ledgerLocation } from '../ledger-location.ts';
import { lockReadModels } from '../read-models-lock.ts';
import { listenFailure } from '../listen-failure.ts';
import { application } from './application.ts';
import type { LedgerMeans } from './ledger-means.ts';
import { readModelsOf, streamsOf } from './ledger-threads.ts';
import { ledgerMetrics } from './ledger-metrics.ts';
import { Notices } from './notices.ts';
import { logPlace } from './place-log.ts';
import { noteFirstStart } from './note-first-start.ts';
import { openServingStore } from './open-serving-store.ts';
import { logReadModels } from './read-models-log.ts';
import { readModelsMeter } from './read-models-meter.ts';
import { startRecording } from './start-recording.ts';
import { logStore } from './store-log.ts';
import { StoreState } from './store-state.ts';
import { ThreadStates } from './thread-states.ts';
import { tidyDataDirectory } from './tidy-data-directory.ts';
import { logDamage } from './told-damage.ts';

/** A ledger that has all but a port to listen on. */
export type AssembledLedger = {
  /** Its event store, as the ledger itself sees it. */
  readonly store: EventStore;
  /** Answers a request; `start` listens for them. */
  readonly answer: RequestListener;
  /**
   * Listens where the configuration says, tells the address, and from then on logs what happens to stores and read models.
   * A Left says in one line why it can't listen; the ledger is then to be stopped.
   */
  readonly start: (onListening: (url: string) => void) => Promise<E.Either<CommandFailure, string>>;
  /** Finishes what is under way, cuts off the rest, and closes the files. */
  readonly stop: () => Promise<void>;
};

/** How often read models and live events are told of commits, where these follow each other. */
const NOTICE_EVERY_MS = 10;
/** Orders whose next delivery is decided without reading; some 500 bytes each. */
const RECENT_ORDERS = 50_000;

const NO_SECRET: Readiness = {
  ready: false,
  detail: 'no webhook secret is valid now, and every delivery is refused: run "ramp-ledger doctor"',
};

/**
 * Puts a whole ledger together: store, recording, read models, streams and the HTTP interface. There is no other place that
 * does. A Left says in one line why it can't be; nothing is left open then.
 */
export const assemble = async (
  config: Config,
  means: LedgerMeans,
): Promise<E.Either<CommandFailure, AssembledLedger>> => {
  const { now, newRequestId, log, secrets, wrapStore = (store) => store } = means;
  const emptied = await emptiedStore(config);
  if (emptied !== null) return failing(1, troubleLine(emptied));
  const storeLog = logStore(log);
  const storeState = new StoreState();
  const readModelsLog = logReadModels(log, config.eventStore.kind === 'sqlite' ? null : storeLog.toldAway);
  const metrics = ledgerMetrics(config);
  const commits = new Notices<void>();
  const [returns, breaks, silences] = [new Notices<void>(), new Notices<void>(), new Notices<void>()];
  const losses = new Notices<void>();
  const onPlace = logPlace(log);
  const quarantine = new KnownQuarantine();
  // Nobody else writes to the quarantine of an embedded store.
  quarantine.follow(config.eventStore.kind === 'sqlite');
  // There is something to tell once all of it is there.
  const telling: { told: (() => ToldState) | null } = { told: null };
  const damage = new MetDamage();
  const opened = await openServingStore(ledgerLocation(config, damage.shared), {
    told: () => telling.told?.() ?? null,
    onPlace: (news) => {
      onPlace(news);
      if (news._tag === 'DiskSilent') silences.tell();
      if (news._tag === 'Stopped') losses.tell();
    },
    onNoSocket: (problem) => log.warn({ problem }, 'commands can not ask this ledger how it is'),
    metrics: metrics.appends,
    onCommit: toldTogether(NOTICE_EVERY_MS, commits.tell),
    onSeen: (events) => quarantine.saw(events.map(({ stream }) => stream)),
    onState: (problem) => {
      quarantine.follow(problem === null);
      storeState.is(problem);
      storeLog.onState(problem);
      (problem === null ? returns : breaks).tell();
    },
  });
  if (E.isLeft(opened)) return opened;
  const store = wrapStore(opened.right);
  const refused = async (
    line: string,
    status: CommandFailure['status'] = 1,
  ): Promise<E.Either<CommandFailure, never>> => {
    await store.close();
    return failing(status, line);
  };
  const begun = await noteFirstStart(config, store);
  if (E.isLeft(begun)) log.warn({ problem: begun.left }, 'that the log begins here can not be noted');
  const folder = held(lockOf(config.dataDir));
  const location = { ...ledgerLocation(config, damage.shared), ...(folder === null ? {} : { lock: folder }) };
  const lost = folderLost(location);
  await tidyDataDirectory(config.dataDir, log);
  const lock = lockReadModels(
    config,
    {
      onUnheld: (problem) => log.warn({ problem }, 'the read models can not be kept from other ledgers'),
      onLost: (problem) =>
        log.error({ problem }, 'another ledger uses the read models: each builds those of the other away'),
    },
    lost,
  );
  if (E.isLeft(lock)) return refused(lock.left.line, lock.left.status);
  const { release: releaseReadModels, renew: renewReadModels } = lock.right;
  // A store on another machine may be away, and its quarantine takes a while to read: deliveries are spooled meanwhile.
  const loaded = quarantine.load(store)();
  const quarantined = config.eventStore.kind === 'sqlite' ? await loaded : E.right(undefined);
  if (E.isLeft(quarantined)) {
    releaseReadModels();
    return refused(quarantined.left.detail);
  }
  const recent = new RecentOrders(RECENT_ORDERS);
  const threads = new ThreadStates(log, now);
  const recording = await startRecording({
    config,
    store,
    recent,
    quarantine,
    log: storeLog,
    secrets,
    now,
    onThreadState: threads.onState,
  });
  if (E.isLeft(recording)) {
    releaseReadModels();
    return refused(recording.left.line, recording.left.status);
  }
  if (recording.right.spool() !== null) threads.alsoHas(SPOOL_THREAD);
  returns.listen(recording.right.storeIsBack);
  breaks.listen(recording.right.storeIsBroken);
  breaks.listen(recent.forget);
  losses.listen(recording.right.storeIsLost);
  silences.listen(recording.right.storeIsBroken);
  const suspicions = new Notices<void>();
  const served =
    config.logIdentity === null
      ? null
      : serveLog(config.dataDir, config.logIdentity, config.witnesses, () => suspicions.tell());
  const meter = readModelsMeter(metrics.readModels);
  const replacements = new Notices<void>();
  const readModels = readModelsOf(
    config,
    location,
    (message) => {
      if (isKeeperNews(message)) served?.onNews(message);
      meter.onEvent(message);
      readModelsLog.onEvent(message);
      if (message._tag === 'Removed' || message._tag === 'OfAnotherLog') renewReadModels();
      if (message._tag === 'Serving' || message._tag === 'OfAnotherLog') replacements.tell();
    },
    threads.onState,
    storeState.away,
  );
  commits.listen(readModels.appended);
  suspicions.listen(readModels.suspectTree);
  const streams = streamsOf(config, location, readModels, secrets, threads.onState);
  commits.listen(streams.appended);
  replacements.listen(streams.replaced);
  const closing = new AbortController();
  const { arrivals, close: closeArrivals } = keepArrivals(
    join(config.dataDir, ARRIVALS_FILE),
    () => epochMsOf(now()),
    (problem) => log.warn({ problem }, 'the counts of arrivals can not be kept'),
    () => lost() === null,
  );
  const { recall, record, spool, storeReadiness } = recording.right;
  // What nothing can verify is refused, and a provider does not send again what was refused: a load balancer is told before.
  const couldAccept = (): Readiness =>
    secrets().webhook.active.length === 0 ? NO_SECRET : recording.right.readiness();
  const answer = application({
    config,
    means,
    store,
    recent,
    metrics,
    recall,
    record,
    readiness: couldAccept,
    storeReadiness,
    spool,
    readModels,
    streams,
    closing: closing.signal,
    generation: meter.generation,
    threads,
    eventsDamaged: damage.isMet,
    arrivals,
    proofs: served ?? noProofLog,
    storeAway: storeState.away,
    folderLost: lost,
  });
  const damageWatch = logDamage(damage, log);
  const closeAll = async (): Promise<void> => {
    // A store that does not answer keeps each of them for a while: they wait side by side.
    damageWatch.stop();
    await Promise.all([recording.right.close(), readModels.close(), streams.close()]);
    releaseReadModels();
    await store.close();
    served?.close();
    closeArrivals();
  };
  const connections = connectionsTaken(means.openFiles);
  let server: HttpServer | null = null;
  telling.told = (): ToldState => {
    const could = recording.right.readiness();
    return {
      url: server?.url ?? null,
      ready: could.ready,
      problem: could.ready ? null : could.detail,
      threadsDown: threads.down().map(({ name }) => name),
      eventsDamaged: damage.isMet(),
      arrivals: arrivals.seen(epochMsOf(now())),
      connections,
      storeWavers: storeLog.wavering(),
    };
  };
  return E.right({
    store,
    answer,
    start: async (onListening) => {
      const limits = { connections: connections.most };
      const listening = await listen(answer, config.host, config.port, newRequestId, limits);
      if (E.isLeft(listening)) return E.left(listenFailure(listening.left));
      server = listening.right;
      if (connections.most < connections.usual)
        log.warn(connections, 'few files may be open: fewer connections are taken');
      onListening(server.url);
      storeLog.begin();
      readModelsLog.begin();
      return E.right(server.url);
    },
    stop: async () => {
      closing.abort();
      await server?.close();
      await closeAll();
    },
  });
};
