import { randomUUID } from 'node:crypto';
import Koa from 'koa';
import { mountApi } from '../api/mount-api.ts';
import type { Config, Secrets } from '../config/index.ts';
import { branded } from '../domain/brand.ts';
import { businessCalendar } from '../domain/business-day.ts';
import type { RequestId } from '../domain/ids.ts';
import type { EventStore, Readiness } from '../event-store/event-store.ts';
import { accessLog } from '../http/access-log.ts';
import type { ApiContext, ApiState } from '../http/api-context.ts';
import type { RecentOrders } from '../ledger/recent-orders.ts';
import { describeFailure } from '../ledger/recorded.ts';
import { releaseQuarantined } from '../ledger/release-quarantined.ts';
import type { ReadModels } from '../read-models/read-models.ts';
import type { Log } from '../telemetry/logger.ts';
import { systemClock } from '../telemetry/system-clock.ts';
import type { ReceiveDeps } from '../webhooks/receive-delivery.ts';
import { webhookRoutes } from '../webhooks/webhook-routes.ts';
import { keyById } from './place.ts';

/** A provider's burst waits here; what is beyond it is told to come again. */
const DELIVERIES_UNDER_WAY = 2_048;
/** How long a delivery's body may take to come (contract.md, Receiving). */
const BODY_WITHIN_MS = 10_000;

/** A request id for a request that brings none. */
export const newRequestId = (): RequestId => branded<RequestId>(randomUUID());

/** What the HTTP interface stands on. */
export type ApplicationParts = {
  readonly config: Config;
  readonly store: EventStore;
  readonly readModels: ReadModels;
  readonly recent: RecentOrders;
  readonly record: ReceiveDeps['record'];
  /** Whether a delivery could be accepted now. */
  readonly readiness: () => Readiness;
  readonly secrets: () => Secrets;
  readonly log: Log;
};

/** Puts the HTTP interface together. */
export const application = ({
  config,
  store,
  readModels,
  recent,
  record,
  readiness,
  secrets,
  log,
}: ApplicationParts): Koa<ApiState> => {
  const now = systemClock();
  const app = new Koa<ApiState>();
  // Errors of replies that are cut off; all others are answered and logged on their way.
  app.on('error', (error: unknown, ctx?: ApiContext) => {
    log.logger.warn({ requestId: ctx?.state.requestId, err: error }, 'a reply was cut off');
  });
  app.use(accessLog(log.request));
  const webhooks = webhookRoutes({
    settings: { ...config.webhooks, mostUnderWay: DELIVERIES_UNDER_WAY, bodyWithinMs: BODY_WITHIN_MS },
    secrets: () => secrets().webhook.active,
    now,
    record,
    onFailure: (failed, requestId) => {
      log.logger.error({ requestId, failure: describeFailure(failed) }, 'a delivery was not recorded');
    },
  });
  const deps = {
    store: { ...store, readiness },
    readModels,
    calendar: businessCalendar(config.businessTimeZone),
    release: releaseQuarantined({ store, recent }),
    apiKeys: () => secrets().apiKeys,
    secretKey: keyById(secrets),
    now,
    newRequestId,
    log: log.logger,
  };
  mountApi(app, deps, [webhooks]);
  return app;
};
