import type { ApiDependencies } from '../../src/api/api-dependencies.ts';
import { queryLimits } from '../../src/api/query-limits.ts';
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
  return {
    store,
    calendar,
    readModels: inMemoryReadModels(store, calendar),
    release: releaseQuarantined({ store, recent: new RecentOrders(0) }),
    apiKeys: () => [],
    limits: queryLimits({ perMinute: 1_000_000, mostUnderWay: 100 }),
    secretKey: () => null,
    now,
    newRequestId: () => branded<RequestId>('generated-id'),
    log: { error: () => undefined },
    ...over,
  };
};
