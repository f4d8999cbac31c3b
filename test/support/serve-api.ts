import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { branded } from '../../src/domain/brand.ts';
import { businessCalendar } from '../../src/domain/business-day.ts';
import type { RequestId } from '../../src/domain/ids.ts';
import { instantOf, type Instant } from '../../src/domain/instant.ts';
import { httpApplication } from '../../src/http/http-application.ts';
import type { DocumentedRouter } from '../../src/http/documented-router.ts';
import type { ApiDependencies } from '../../src/api/api-dependencies.ts';
import { directExporter } from '../../src/queries/exports/direct-exporter.ts';
import { directLiveFeed } from '../../src/queries/live/direct-live-feed.ts';
import type { ApiKey } from '../../src/access/api-key.ts';
import { apiRouters } from '../../src/api/api-routers.ts';
import { queryLimits } from '../../src/access/query-limits.ts';
import { RecentOrders } from '../../src/ledger/recent-orders.ts';
import { releaseQuarantined } from '../../src/ledger/release-quarantined.ts';
import { inMemoryEventStore, type InMemoryEventStore } from './in-memory-event-store.ts';
import { inMemoryReadModels, type InMemoryReadModels } from './in-memory-read-models.ts';
import { SECRET } from './payloads.ts';

/** The interface on a free port, over an empty store, and what it logged. */
export type ServedApi = {
  readonly url: string;
  readonly store: InMemoryEventStore;
  readonly readModels: InMemoryReadModels;
  readonly logged: { readonly fields: object; readonly message: string }[];
  /** Asks with the key of these scopes (`orders:read+pii:read`); null: without any key. */
  readonly ask: (path: string, scopes: string | null, init?: RequestInit) => Promise<Response>;
  /** Tells it that the ledger is to stop. */
  readonly tellToStop: () => void;
  readonly close: () => Promise<void>;
};

const keyOf = (scopes: string): string => `key-with-${scopes}`;

const apiKey = (scopes: string): ApiKey => ({
  id: scopes,
  scopes: new Set(scopes.split('+')),
  sha256: createHash('sha256').update(keyOf(scopes)).digest('hex'),
});

const KEYS = [
  'orders:read',
  'orders:read+pii:read',
  'audit:read',
  'audit:read+orders:read',
  'audit:read+orders:read+pii:read',
  'audit:read+orders:read+reports:read',
  'audit:read+pii:read',
  'reports:read',
  'reports:read+pii:read',
  'quarantine:write',
  'pii:read',
  'admin',
];

/** Every key that can be asked with. */
export const API_KEYS: readonly ApiKey[] = KEYS.map(apiKey);

/** The business time zone: its days begin at half past six in the evening. */
const ZONE = 'Asia/Kolkata';

export const NOW: Instant = instantOf(Date.UTC(2023, 2, 1, 7));

export const serveApi = async (
  over: Partial<ApiDependencies> = {},
  others: readonly DocumentedRouter[] = [],
): Promise<ServedApi> => {
  const store = inMemoryEventStore(() => NOW);
  const calendar = businessCalendar(ZONE);
  const readModels = inMemoryReadModels(store, calendar);
  const logged: { fields: object; message: string }[] = [];
  let requests = 0;
  const newRequestId = (): RequestId => {
    requests += 1;
    return branded<RequestId>(`generated-${requests}`);
  };
  const secretKey = (id: string): Buffer | null => (id === 'primary' ? Buffer.from(SECRET) : null);
  const closing = new AbortController();
  const deps: ApiDependencies = {
    store,
    readiness: store.readiness,
    threadsDown: () => [],
    readModels,
    exporter: directExporter({ store, secretKey, openSnapshot: readModels.snapshot }),
    liveFeed: directLiveFeed(store),
    closing: closing.signal,
    calendar,
    release: releaseQuarantined({ store, recent: new RecentOrders(0) }),
    apiKeys: () => API_KEYS,
    limits: queryLimits({ perMinute: 1_000_000, mostUnderWay: 100 }),
    secretKey,
    now: () => NOW,
    newRequestId,
    log: { error: (fields, message) => logged.push({ fields, message }) },
    ...over,
  };
  const app = httpApplication(apiRouters(deps, others), {
    newRequestId: deps.newRequestId,
    onRequest: () => undefined,
    log: { ...deps.log, warn: () => undefined },
  });
  const handle = app.callback();
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    store,
    readModels,
    logged,
    ask: (path, scopes, init = {}) => {
      const headers = new Headers(init.headers);
      if (scopes !== null) headers.set('Authorization', `Bearer ${keyOf(scopes)}`);
      return fetch(`${url}${path}`, { ...init, headers });
    },
    tellToStop: () => closing.abort(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
