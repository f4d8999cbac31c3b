import { isAwaited } from '../../src/access/asker.ts';
import type { ApiDependencies } from '../../src/api/api-dependencies.ts';
import { directExporter } from '../../src/queries/exports/direct-exporter.ts';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { openTransfers } from '../../src/queries/transfers/opened-transfers.ts';
import { openStatement } from '../../src/statements/opened-statement.ts';
import { openedHere, transfersOpenedHere } from '../../src/queries/statements/statement-files.ts';
import { isAdjusted } from '../../src/queries/periods/adjustments.ts';
import { monthChecks } from '../../src/queries/periods/month-checks.ts';
import { closingFigures } from '../../src/queries/periods/closing-figures.ts';
import { directLiveFeed } from '../../src/queries/live/direct-live-feed.ts';
import { queryLimits } from '../../src/access/query-limits.ts';
import { streamPlaces } from '../../src/access/stream-places.ts';
import { branded } from '../../src/domain/brand.ts';
import { businessCalendar } from '../../src/domain/business-day.ts';
import type { Position, RequestId } from '../../src/domain/ids.ts';
import { instantOf, type Instant } from '../../src/domain/instant.ts';
import { drawnLineKey } from '../../src/domain/line-key.ts';
import { noProofLog } from '../../src/proofs/no-proof-log.ts';
import { RecentOrders } from '../../src/ledger/recent-orders.ts';
import { releaseQuarantined } from '../../src/ledger/release-quarantined.ts';
import { inMemoryEventStore, type InMemoryEventStore } from './in-memory-event-store.ts';
import { inMemoryReadModels, type InMemoryReadModels } from './in-memory-read-models.ts';
import { SECRET } from './payloads.ts';

/** When it is for routes that are given no other clock. */
export const NOW: Instant = instantOf(Date.UTC(2023, 2, 1, 7));

/** The business time zone: its days begin at half past six in the evening. */
const ZONE = 'Asia/Kolkata';

/** The stores that routes ask in such tests. */
export type RouteDoubles = { readonly store: InMemoryEventStore; readonly readModels: InMemoryReadModels };

/** An empty ledger in memory, whose read models are a fold of everything for each question. */
export const routeDoubles = (): RouteDoubles => {
  const store = inMemoryEventStore(() => NOW);
  return { store, readModels: inMemoryReadModels(store, businessCalendar(ZONE)) };
};

/** What routes stand on in tests that look at the routes themselves. What tests a ledger as it serves is `startLedger`. */
export const routeDependencies = (
  over: Partial<ApiDependencies> = {},
  { store, readModels }: RouteDoubles = routeDoubles(),
): ApiDependencies => {
  const secretKey = (id: string): Buffer | null => (id === 'primary' ? Buffer.from(SECRET) : null);
  let requests = 0;
  return {
    store,
    readiness: store.readiness,
    threadsDown: () => [],
    eventsDamaged: () => false,
    calendar: businessCalendar(ZONE),
    matchDueDays: 2,
    readModels,
    exporter: directExporter({ store, secretKey, openSnapshot: readModels.snapshot }),
    liveFeed: directLiveFeed(store),
    proofs: noProofLog,
    waiting: () => 0,
    takeMonths: () => E.right(() => undefined),
    isAwaited,
    closingFigures: closingFigures(over.readModels ?? readModels),
    isAdjusted: isAdjusted(over.readModels ?? readModels),
    monthChecks: monthChecks({ store, calendar: businessCalendar(ZONE), readModels, ...over }),
    closing: new AbortController().signal,
    release: releaseQuarantined({ store, recent: new RecentOrders(0) }),
    apiKeys: () => [],
    limits: queryLimits({ perMinute: 1_000_000, mostUnderWay: 100 }),
    streams: streamPlaces(),
    secretKey,
    statementFiles: {
      open: (bytes, reading) => async () => openedHere(await openStatement(bytes, reading)),
      openTransfers: (bytes, context) => async () => transfersOpenedHere(await openTransfers(bytes, context)),
      keep: () => TE.right(undefined),
    },
    importTurn: TE.map((position: Position | null) => ({ position, end: () => undefined }))(store.head()),
    drawLineKey: () => drawnLineKey((size) => Buffer.alloc(size, 7)),
    now: () => NOW,
    newRequestId: () => {
      requests += 1;
      return branded<RequestId>(`generated-${requests}`);
    },
    log: { error: () => undefined, warn: () => undefined },
    ...over,
  };
};
