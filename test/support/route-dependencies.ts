import type { ApiDependencies } from '../../src/api/api-dependencies.ts';
import { directExporter } from '../../src/queries/exports/direct-exporter.ts';
import { directLiveFeed } from '../../src/queries/live/direct-live-feed.ts';
import { queryLimits } from '../../src/access/query-limits.ts';
import { branded } from '../../src/domain/brand.ts';
import { businessCalendar } from '../../src/domain/business-day.ts';
import type { RequestId } from '../../src/domain/ids.ts';
import { instantOf } from '../../src/domain/instant.ts';
import { RecentOrders } from '../../src/ledger/recent-orders.ts';
import { releaseQuarantined } from '../../src/ledger/release-quarantined.ts';
import { inMemoryEventStore } from './in-memory-event-store.ts';
import { inMemoryReadModels } from './in-memory-read-models.ts';

/** What routes can be made with, for tests that look at the routes themselves: an empty ledger in memory. */
export const routeDependencies = (over: Partial<ApiDependencies> = {}): ApiDependencies => {
  const now = () => instantOf(0);
  const store = inMemoryEventStore(now);
  const calendar = businessCalendar('UTC');
  const readModels = inMemoryReadModels(store, calendar);
  const secretKey = (): null => null;
  return {
    store,
    readiness: store.readiness,
    threadsDown: () => [],
    calendar,
    readModels,
    exporter: directExporter({ store, secretKey, openSnapshot: readModels.snapshot }),
    liveFeed: directLiveFeed(store),
    closing: new AbortController().signal,
    release: releaseQuarantined({ store, recent: new RecentOrders(0) }),
    apiKeys: () => [],
    limits: queryLimits({ perMinute: 1_000_000, mostUnderWay: 100 }),
    secretKey,
    now,
    newRequestId: () => branded<RequestId>('generated-id'),
    log: { error: () => undefined },
    ...over,
  };
};
