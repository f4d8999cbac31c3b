import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import Koa from 'koa';
import { branded } from '../../src/domain/brand.ts';
import { businessCalendar } from '../../src/domain/business-day.ts';
import type { RequestId } from '../../src/domain/ids.ts';
import { instantOf, type Instant } from '../../src/domain/instant.ts';
import type { ApiRouter, ApiState } from '../../src/http/api-context.ts';
import type { ApiDependencies } from '../../src/api/api-dependencies.ts';
import type { ApiKey } from '../../src/api/api-key.ts';
import { mountApi } from '../../src/api/mount-api.ts';
import { queryLimits } from '../../src/api/query-limits.ts';
import { RecentOrders } from '../../src/ledger/recent-orders.ts';
import { releaseQuarantined } from '../../src/ledger/release-quarantined.ts';
import { inMemoryEventStore, type InMemoryEventStore } from './in-memory-event-store.ts';
import { inMemoryReadModels, type InMemoryReadModels } from './in-memory-read-models.ts';
import { SECRET } from './payloads.ts';

/** The interface on a free port, over an empty store, and what it logged. */
export type ServedApi = {
  readonly store: InMemoryEventStore;
  readonly readModels: InMemoryReadModels;
  readonly logged: { readonly fields: object; readonly message: string }[];
  /** Asks with the key of these scopes (`orders:read+pii:read`); null: without any key. */
  readonly ask: (path: string, scopes: string | null, init?: RequestInit) => Promise<Response>;
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
  'audit:read+pii:read',
  'reports:read',
  'reports:read+pii:read',
  'quarantine:write',
  'pii:read',
  'admin',
];

/** The business time zone: its days begin at half past six in the evening. */
const ZONE = 'Asia/Kolkata';

export const NOW: Instant = instantOf(Date.UTC(2023, 2, 1, 7));

export const serveApi = async (
  over: Partial<ApiDependencies> = {},
  others: readonly ApiRouter[] = [],
): Promise<ServedApi> => {
  const store = inMemoryEventStore(() => NOW);
  const calendar = businessCalendar(ZONE);
  const readModels = inMemoryReadModels(store, calendar);
  const logged: { fields: object; message: string }[] = [];
  const app = new Koa<ApiState, Koa.DefaultContextExtends>();
  let requests = 0;
  const newRequestId = (): RequestId => {
    requests += 1;
    return branded<RequestId>(`generated-${requests}`);
  };
  const deps: ApiDependencies = {
    store,
    readModels,
    calendar,
    release: releaseQuarantined({ store, recent: new RecentOrders(0) }),
    apiKeys: () => KEYS.map(apiKey),
    limits: queryLimits({ perMinute: 1_000_000, mostUnderWay: 100 }),
    secretKey: (id) => (id === 'primary' ? Buffer.from(SECRET) : null),
    now: () => NOW,
    newRequestId,
    log: { error: (fields, message) => logged.push({ fields, message }) },
    ...over,
  };
  mountApi(app, deps, others);
  const handle = app.callback();
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    store,
    readModels,
    logged,
    ask: (path, scopes, init = {}) => {
      const headers = new Headers(init.headers);
      if (scopes !== null) headers.set('Authorization', `Bearer ${keyOf(scopes)}`);
      return fetch(`http://127.0.0.1:${port}${path}`, { ...init, headers });
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
