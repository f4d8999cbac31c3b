import type Koa from 'koa';
import type { ApiDependencies } from '../../api/api-dependencies.ts';
import { metricsRoutes } from '../../api/metrics-routes.ts';
import { apiRouters } from '../../api/api-routers.ts';
import { isLoopback, type Config, type Secrets } from '../../config/index.ts';
import { consoleRoutes } from '../../console/index.ts';
import { queryLimits } from '../../access/query-limits.ts';
import { businessCalendar } from '../../domain/business-day.ts';
import type { EventStore, Readiness } from '../../event-store/event-store.ts';
import type { SpoolState } from '../../event-store/spool.ts';
import type { ApiState } from '../../http/api-context.ts';
import { httpApplication } from '../../http/http-application.ts';
import type { RecentOrders } from '../../ledger/recent-orders.ts';
import { describeFailure } from '../../ledger/recorded.ts';
import { releaseQuarantined } from '../../ledger/release-quarantined.ts';
import type { ReadModels } from '../../read-models/read-models.ts';
import type { Log } from '../../telemetry/logger.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { systemClock } from '../../telemetry/system-clock.ts';
import type { ReceiveDeps } from '../../webhooks/receive-delivery.ts';
import { webhookRoutes } from '../../webhooks/webhook-routes.ts';
import { ledgerHealth } from './ledger-health.ts';
import { metricsPage } from './metrics-page.ts';
import { newRequestId } from '../new-request-id.ts';
import type { ThreadStates } from './thread-states.ts';
import { keyById } from '../ledger-location.ts';
import { requestMeter } from './request-meter.ts';

/** A provider's burst waits here; what is beyond it is told to come again. */
const DELIVERIES_UNDER_WAY = 2_048;
/** What is beyond it would wait longer than callers do. */
const QUERIES_UNDER_WAY = 512;
/** How long a delivery's body may take to come (docs/spec/receiving.md, Replies). */
const BODY_WITHIN_MS = 10_000;

/** What the HTTP interface stands on. */
export type ApplicationParts = {
  readonly config: Config;
  readonly store: EventStore;
  readonly readModels: ReadModels;
  readonly streams: Pick<ApiDependencies, 'exporter' | 'liveFeed'>;
  /** Aborted when the ledger is told to stop. */
  readonly closing: AbortSignal;
  readonly recent: RecentOrders;
  readonly metrics: Metrics;
  /** Number of the generation of read models that serves; null before one does. */
  readonly generation: () => number | null;
  /** What waits for the event store; null where there is no spool. */
  readonly spool: () => SpoolState | null;
  readonly record: ReceiveDeps['record'];
  /** Whether a delivery could be accepted now. */
  readonly readiness: () => Readiness;
  readonly threads: ThreadStates;
  readonly secrets: () => Secrets;
  readonly log: Log;
};

/** Puts the HTTP interface together. */
export const application = (parts: ApplicationParts): Koa<ApiState, Koa.DefaultContextExtends> => {
  const { config, store, readModels, closing, recent, metrics, record, readiness, threads, secrets, log } = parts;
  const now = systemClock();
  const meter = requestMeter(metrics);
  const webhooks = webhookRoutes({
    settings: { ...config.webhooks, mostUnderWay: DELIVERIES_UNDER_WAY, bodyWithinMs: BODY_WITHIN_MS },
    secrets: () => secrets().webhook.active,
    now,
    onVerified: (secretId) => metrics.deliveries.signedWith(secretId, Date.now()),
    record,
    onFailure: (failed, request) => {
      log.logger.error({ ...request, failure: describeFailure(failed) }, 'a delivery was not recorded');
    },
  });
  const deps = {
    store,
    readiness,
    threadsDown: () => threads.down().map(({ name }) => name),
    readModels,
    exporter: parts.streams.exporter,
    liveFeed: parts.streams.liveFeed,
    closing,
    calendar: businessCalendar(config.businessTimeZone),
    release: releaseQuarantined({ store, recent }),
    apiKeys: () => secrets().apiKeys,
    limits: queryLimits({ perMinute: config.queriesPerMinute, mostUnderWay: QUERIES_UNDER_WAY }),
    secretKey: keyById(secrets),
    now,
    newRequestId,
    log: log.logger,
  };
  const page = metricsPage({ ...parts, now });
  const health = ledgerHealth({
    ...parts,
    lastSignedMs: metrics.deliveries.lastSignedMs,
    startedAt: now(),
    now,
  });
  const routers = apiRouters(deps, [
    webhooks,
    consoleRoutes({ ...deps, health, openHealth: isLoopback(config.host) }, { isLoopback }),
    metricsRoutes({ ...deps, open: isLoopback(config.host), page }),
  ]);
  return httpApplication(routers, {
    newRequestId,
    log: log.logger,
    onRequest: (line) => {
      log.request(line);
      meter(line);
    },
  });
};
