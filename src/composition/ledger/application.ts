import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { isAwaited } from '../../access/asker.ts';
import { heldToAsker } from '../../access/held-to-asker.ts';
import { queryLimits } from '../../access/query-limits.ts';
import { streamPlaces } from '../../access/stream-places.ts';
import type { ApiDependencies } from '../../api/api-dependencies.ts';
import { apiRouters } from '../../api/api-routers.ts';
import { metricsRoutes } from '../../api/metrics-routes.ts';
import type { Arrivals } from '../../arrivals/arrivals.ts';
import { isLoopback, type Config } from '../../config/index.ts';
import { consoleRoutes, EndedSessions, StagedFiles, problemPages } from '../../console/index.ts';
import { businessCalendar } from '../../domain/business-day.ts';
import { epochMsOf } from '../../domain/instant.ts';
import type { EventStore, Readiness } from '../../event-store/event-store.ts';
import type { SpoolState } from '../../event-store/spool.ts';
import { peerOf } from '../../http/connections/peer-of.ts';
import { httpApplication } from '../../http/http-application.ts';
import type { RecentOrders } from '../../ledger/recent-orders.ts';
import { describeFailure } from '../../ledger/recorded.ts';
import { releaseQuarantined } from '../../ledger/release-quarantined.ts';
import type { ProofLog } from '../../proofs/proof-log.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { ThreadedReadModels } from '../../threads/threaded-read-models.ts';
import { threadedStatements } from '../../threads/threaded-statements.ts';
import type { ReceiveDeps } from '../../webhooks/receive-delivery.ts';
import { webhookRoutes } from '../../webhooks/webhook-routes.ts';
import { importTurns } from '../import-turns.ts';
import { keptFiles } from '../kept-files.ts';
import { takeMonthsOf } from '../take-months.ts';
import { keyById } from '../webhook-keys.ts';
import { handOver, handOverPage } from './hand-over.ts';
import { ledgerHealth } from './ledger-health.ts';
import type { LedgerMeans } from './ledger-means.ts';
import { ledgerState } from './ledger-state.ts';
import { metricsPage } from './metrics-page.ts';
import { outageLog } from './outage-log.ts';
import { requestMeter } from './request-meter.ts';
import type { ThreadStates } from './thread-states.ts';

/** What is beyond it would wait longer than callers do. */
const QUERIES_UNDER_WAY = 1_024;
/** Of deliveries a provider's burst waits here; what is beyond it is told to come again (docs/spec/receiving.md, Replies). */
const RECEIVING = { mostUnderWay: 2_048, mostUnread: 512, bodyWithinMs: 10_000 };

/** What the HTTP interface stands on. */
export type ApplicationParts = {
  readonly config: Config;
  readonly means: LedgerMeans;
  readonly store: EventStore;
  readonly readModels: ThreadedReadModels;
  readonly streams: Pick<ApiDependencies, 'exporter' | 'liveFeed'>;
  /** Aborted when the ledger is told to stop. */
  readonly closing: AbortSignal;
  readonly recent: RecentOrders;
  readonly metrics: Metrics;
  /** Number of the generation of read models that serves; null before one does. */
  readonly generation: () => number | null;
  /** What waits for the event store; null where there is no spool. */
  readonly spool: () => SpoolState | null;
  readonly threads: ThreadStates;
  /** Whether a damaged page of the events was met. */
  readonly eventsDamaged: () => boolean;
  readonly arrivals: Arrivals;
  readonly proofs: ProofLog;
  readonly recall: ReceiveDeps['recall'];
  readonly record: ReceiveDeps['record'];
  /** Whether a delivery could be accepted now. */
  readonly readiness: () => Readiness;
  /** Whether the event store takes deliveries. */
  readonly storeReadiness: () => Readiness;
  /** Why a store on another machine is away; null: it is there, or on this one. */
  readonly storeAway: () => string | null;
  /** Why the data directory may be another ledger's by now; null where it is not. */
  readonly folderLost: () => string | null;
};

/** Puts the HTTP interface together. */
export const application = (parts: ApplicationParts): RequestListener => {
  const { config, means, store, readModels, closing, recent, metrics, recall, record, readiness, threads } = parts;
  const { now, newRequestId, drawLineKey, log, onRequest, onCutOff, logLinesLost = () => 0, secrets } = means;
  const { dueDays: matchDueDays } = config.match;
  const meter = requestMeter(metrics);
  const webhooks = webhookRoutes({
    settings: { ...config.webhooks, ...RECEIVING, ...means.receiving },
    secrets: () => secrets().webhook.active,
    now,
    onVerified: ({ secretId, receivedAt }) => metrics.deliveries.signedWith(secretId, epochMsOf(receivedAt)),
    recall,
    record,
    arrivals: {
      count: (outcome) => parts.arrivals.count(outcome, epochMsOf(now())),
      refuse: (code, detail) => parts.arrivals.refuse(code, epochMsOf(now()), detail),
    },
    peerOf: ({ socket, headers }) => {
      const forwarded = headers['x-forwarded-for'];
      return peerOf(socket.remoteAddress, config.publicUrl === null ? null : String(forwarded ?? ''));
    },
    onFailure: (failed, request) => {
      log.error({ ...request, failure: describeFailure(failed) }, 'a delivery was not recorded');
    },
  });
  const exporter: ApiDependencies['exporter'] = (request) =>
    pipe(
      readModels.there,
      TE.chainW(() => parts.streams.exporter(request)),
    );
  const files = threadedStatements();
  const deps = {
    ...heldToAsker({ store, release: releaseQuarantined({ store, recent }) }),
    readiness,
    handOver: handOver({ store, readModels, proofs: parts.proofs, secrets, now, matchDueDays }),
    threadsDown: () => threads.down().map(({ name }) => name),
    eventsDamaged: parts.eventsDamaged,
    readModels,
    exporter,
    liveFeed: parts.streams.liveFeed,
    proofs: parts.proofs,
    waiting: () => {
      const waiting = parts.spool();
      if (waiting === null) return 0;
      return waiting.isCounting ? null : waiting.depth;
    },
    takeMonths: takeMonthsOf(config.dataDir, parts.folderLost),
    isAwaited,
    closingFigures: readModels.closingFigures,
    isAdjusted: readModels.isAdjusted,
    monthChecks: readModels.monthChecks,
    closing,
    calendar: businessCalendar(config.businessTimeZone),
    matchDueDays,
    apiKeys: () => secrets().apiKeys,
    limits: queryLimits({ perMinute: config.queriesPerMinute, mostUnderWay: QUERIES_UNDER_WAY }),
    streams: streamPlaces(),
    secretKey: keyById(secrets),
    statementFiles: { open: files.open, openTransfers: files.openTransfers, keep: keptFiles(config.dataDir) },
    importTurn: importTurns(config.dataDir, store, undefined, parts.folderLost),
    drawLineKey,
    now,
    newRequestId,
    log: outageLog(log, parts.storeAway),
  };
  const state = ledgerState({ ...parts, secrets, now });
  const page = metricsPage({ ...parts, state, logLinesLost, now });
  const { lastSignedMs } = metrics.deliveries;
  const health = ledgerHealth({ config, state, lastSignedMs, startedAt: now() });
  const { publicUrl } = config;
  const listensOnLoopback = isLoopback(config.host);
  const endedSessions = new EndedSessions(
    join(config.dataDir, 'ended-sessions'),
    epochMsOf(now()) / 1_000,
    parts.folderLost,
  );
  const routers = apiRouters(deps, [
    webhooks,
    consoleRoutes(
      {
        ...deps,
        arrivals: () => parts.arrivals.seen(epochMsOf(now())),
        health,
        openHealth: listensOnLoopback,
        endedSessions,
        stagedFiles: new StagedFiles(join(config.dataDir, 'uploads'), () => epochMsOf(now()), parts.folderLost),
        peekTable: files.peekTable,
        handOverPage: handOverPage({ store, readModels, proofs: parts.proofs, secrets, matchDueDays }),
      },
      { publicUrl, isLoopback },
    ),
    metricsRoutes({ ...deps, open: listensOnLoopback, isLoopback, page }),
  ]);
  return httpApplication(routers, {
    newRequestId,
    log,
    around: [problemPages(deps.calendar)],
    hosts: { publicUrl, listensOnLoopback, isLoopback },
    onRequest: (line, proved) => {
      onRequest(line, proved);
      meter(line);
    },
    onCutOff,
  });
};
