import { createHash } from 'node:crypto';
import type { ApiKey } from '../../src/access/api-key.ts';
import type { ApiDependencies } from '../../src/api/api-dependencies.ts';
import { apiRouters } from '../../src/api/api-routers.ts';
import type { AccessLog } from '../../src/http/access-log.ts';
import type { CutOffLog } from '../../src/http/cut-off.ts';
import type { DocumentedRouter } from '../../src/http/documented-router.ts';
import { httpApplication } from '../../src/http/http-application.ts';
import { listen, type HttpServer, type ServerLimits } from '../../src/http/http-server.ts';
import { right } from './right.ts';
import { routeDependencies, routeDoubles, type RouteDoubles } from './route-dependencies.ts';

/** The interface on a free port, over an empty store, and what it logged. */
export type ServedApi = RouteDoubles & {
  readonly url: string;
  readonly logged: { readonly fields: object; readonly message: string }[];
  /** Asks with the key of these scopes (`orders:read+pii:read`); null: without any key. */
  readonly ask: (path: string, scopes: string | null, init?: RequestInit) => Promise<Response>;
  /** Tells it that the ledger is to stop. */
  readonly tellToStop: () => void;
  readonly close: () => Promise<void>;
};

/** The text of the key with these scopes. */
export const keyText = (scopes: string): string => `key-with-${scopes}`;

const apiKey = (scopes: string): ApiKey => ({
  id: scopes,
  scopes: new Set(scopes.split('+')),
  sha256: createHash('sha256').update(keyText(scopes)).digest('hex'),
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
  'audit:read+quarantine:write',
  'statements:write',
  'periods:write',
  'pii:read',
  'admin',
];

/** Every key that can be asked with. */
export const API_KEYS: readonly ApiKey[] = KEYS.map(apiKey);

/** Serves routers with all that routes have around them, on a free port. `told`: what is told of requests and their replies. */
export const serveRouters = async (
  routers: readonly DocumentedRouter[],
  { newRequestId, log }: Pick<ApiDependencies, 'newRequestId' | 'log'>,
  told: { readonly onRequest?: AccessLog; readonly onCutOff?: CutOffLog } = {},
  limits: Partial<ServerLimits> = {},
): Promise<HttpServer> => {
  const app = httpApplication(routers, {
    hosts: { publicUrl: null, listensOnLoopback: false, isLoopback: () => true },
    newRequestId,
    onRequest: () => undefined,
    onCutOff: () => undefined,
    log,
    ...told,
  });
  return right(await listen(app, '127.0.0.1', 0, newRequestId, limits));
};

/** Serves the interface over an empty ledger in memory. */
export const serveApi = async (
  over: Partial<ApiDependencies> = {},
  others: readonly DocumentedRouter[] = [],
): Promise<ServedApi> => {
  const { store, readModels } = routeDoubles();
  const logged: { fields: object; message: string }[] = [];
  const closing = new AbortController();
  const deps = routeDependencies(
    {
      apiKeys: () => API_KEYS,
      closing: closing.signal,
      log: {
        error: (fields, message) => logged.push({ fields, message }),
        warn: (fields, message) => logged.push({ fields, message }),
      },
      ...over,
    },
    { store, readModels },
  );
  const { url, close } = await serveRouters(apiRouters(deps, others), deps);
  return {
    url,
    store,
    readModels,
    logged,
    ask: (path, scopes, init = {}) => {
      const headers = new Headers(init.headers);
      if (scopes !== null) headers.set('Authorization', `Bearer ${keyText(scopes)}`);
      return fetch(`${url}${path}`, { ...init, headers });
    },
    tellToStop: () => closing.abort(),
    close,
  };
};
