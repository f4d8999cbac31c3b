import { expect } from 'chai';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { apiRouters } from '../../src/api/api-routers.ts';
import { SCOPES } from '../../src/config/index.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import { noProofLog } from '../../src/proofs/no-proof-log.ts';
import { NOW, routeDependencies } from '../support/route-dependencies.ts';
import { serveApi, type ServedApi } from '../support/serve-api.ts';

/** docs/spec/http.md, Keys and scopes: what each route asks for. */
const CONTRACT: Readonly<Record<string, readonly string[]>> = {
  'GET /v1/orders': ['orders:read'],
  'GET /v1/orders/:orderId': ['orders:read'],
  'GET /v1/orders/:orderId/events': ['orders:read'],
  'GET /v1/orders/:orderId/events/:revision/body': ['audit:read', 'pii:read'],
  'GET /v1/orders/:orderId/audit': ['audit:read'],
  'GET /v1/orders/:orderId/evidence': ['audit:read', 'pii:read'],
  'GET /v1/audit': ['audit:read'],
  'GET /v1/reports/onramp': ['reports:read'],
  'GET /v1/reports/offramp': ['reports:read'],
  'GET /v1/reports/workbook': ['reports:read'],
  'GET /v1/reconciliation': ['reports:read'],
  'GET /v1/reconciliation/items': ['reports:read'],
  'POST /v1/reconciliation/items/:itemId/decision': ['statements:write'],
  'DELETE /v1/reconciliation/items/:itemId/decision': ['statements:write'],
  'GET /v1/periods': ['reports:read'],
  'GET /v1/periods/:period': ['reports:read'],
  'GET /v1/periods/:period/readiness': ['reports:read'],
  'POST /v1/periods/:period/close': ['periods:write'],
  'POST /v1/periods/:period/reopen': ['periods:write'],
  'GET /v1/periods/:period/adjustments': ['reports:read'],
  'GET /v1/periods/:period/workbook': ['reports:read'],
  'POST /v1/statements': ['statements:write'],
  'POST /v1/transfers': ['statements:write'],
  'GET /v1/transfers': ['reports:read'],
  'GET /v1/statements': ['reports:read'],
  'GET /v1/statements/:statementId/lines': ['reports:read'],
  'POST /v1/statements/profiles/:name': ['statements:write'],
  'GET /v1/quarantine': ['audit:read'],
  'GET /v1/quarantine/:eventId/body': ['audit:read', 'pii:read'],
  'POST /v1/quarantine/:eventId/release': ['quarantine:write'],
  'POST /v1/quarantine/:eventId/close': ['quarantine:write'],
  'POST /v1/quarantine/:eventId/reopen': ['quarantine:write'],
  'GET /v1/log/checkpoint': ['audit:read'],
  'GET /v1/log/tile/:level/:tile': ['audit:read'],
  'GET /v1/proofs/inclusion': ['audit:read'],
  'GET /v1/proofs/consistency': ['audit:read'],
  'GET /v1/events/live': ['orders:read'],
  'GET /v1/exports/orders': ['audit:read', 'orders:read'],
  'GET /v1/exports/orders/manifest': ['audit:read', 'orders:read'],
  'GET /v1/exports/events': ['audit:read', 'orders:read'],
  'GET /v1/exports/events/manifest': ['audit:read', 'orders:read'],
  'GET /v1/exports/reconciliation': ['reports:read'],
  'GET /v1/exports/reconciliation/manifest': ['reports:read'],
  'GET /v1/exports/audit': ['audit:read'],
  'GET /v1/exports/audit/manifest': ['audit:read'],
};

/** What needs no key (docs/spec/http.md, Keys and scopes). */
const OPEN = [
  'GET /v1/log/key',
  'GET /livez',
  'GET /readyz',
  'GET /openapi.json',
  'GET /docs',
  'GET /docs/start.js',
  'GET /docs/swagger-ui-bundle.js',
  'GET /docs/swagger-ui.css',
];

const keyOf = (scopes: readonly string[]): string => `key-with-${scopes.join('+')}`;
/**
 * One scope at a time is added to none and taken from all, and each route's own are shown alone: whatever a route asks for, too
 * much, too little or another one, some of these tell. That every other set is decided alike holds for `withScopes` itself.
 */
const sets: readonly (readonly string[])[] = [
  [],
  SCOPES,
  ...SCOPES.flatMap((scope) => [[scope], SCOPES.filter((other) => other !== scope)]),
  ...Object.values(CONTRACT).filter((needed) => needed.length > 1),
];

const apiKeys = sets.map((set) => ({ id: keyOf(set), scopes: new Set(set), sha256: sha256(keyOf(set)) }));
const dependencies = routeDependencies({ apiKeys: () => apiKeys });

const routers = apiRouters(dependencies, []);

/** Every route of the interface, as it is mounted: what is added is here too. */
const mounted = routers.flatMap(({ router }) =>
  router.stack.flatMap(({ methods, path }) =>
    methods.filter((method) => method !== 'HEAD').map((method) => ({ method, path: String(path).replace('*', ':') })),
  ),
);

const nameOf = ({ method, path }: { readonly method: string; readonly path: string }): string =>
  `${method.toUpperCase()} ${path}`;

describe('scopes', () => {
  let api: ServedApi;
  before(async () => {
    const signed = TE.right({ note: 'a note', size: 0, position: null, signedAt: NOW });
    const proofs = { ...noProofLog, verifierLine: () => 'a line', newest: () => signed, including: () => signed };
    api = await serveApi({ apiKeys: () => apiKeys, proofs });
  });
  after(() => api.close());

  it('are decided for every route that is mounted', () => {
    expect(mounted.map(nameOf)).to.have.members([...Object.keys(CONTRACT), ...OPEN]);
  });

  it('are what the contract says', () => {
    const declared = routers
      .flatMap(({ operations }) => operations)
      .map(({ method, path, scopes }) => [nameOf({ method, path: path.replaceAll(/\{(\w+)\}/g, ':$1') }), scopes]);
    expect(Object.fromEntries(declared)).to.deep.equal({
      ...CONTRACT,
      // The files that the page of the document loads stand in no document.
      ...Object.fromEntries(OPEN.filter((name) => !name.startsWith('GET /docs/')).map((name) => [name, []])),
    });
  });

  for (const { method, path } of mounted) {
    const name = nameOf({ method, path });
    const needed = CONTRACT[name];
    const address = path.replaceAll(/:\w+/g, '1');
    const ask = async (authorization: string | null): Promise<Response> =>
      api.ask(address, null, { method, headers: authorization === null ? {} : { Authorization: authorization } });

    if (needed === undefined) {
      it(`${name} is answered without a key, and with any`, async () => {
        for (const authorization of [null, 'Bearer nothing', `Bearer ${keyOf(['admin'])}`]) {
          expect((await ask(authorization)).status).to.equal(200);
        }
      });
      continue;
    }

    it(`${name} is 401 without a valid key`, async () => {
      for (const authorization of [null, 'Bearer', 'Bearer nothing', `Basic ${keyOf(SCOPES)}`, keyOf(SCOPES)]) {
        const answer = await ask(authorization);
        expect(answer.status, String(authorization)).to.equal(401);
        expect(await answer.json()).to.include({ code: 'unauthorized' });
        expect(answer.headers.get('www-authenticate')).to.match(/^Bearer realm=/);
      }
    });

    it(`${name} is answered to ${needed.join(' with ')}, and 403 where one of them is missing`, async () => {
      for (const set of sets) {
        const answer = await ask(`Bearer ${keyOf(set)}`);
        const missing = needed.find((scope) => !set.includes(scope));
        if (missing === undefined) {
          // Nothing is there: a list is empty, an order or event unknown. A proof needs to be told of what.
          // So does a month, which `1` is none.
          const told = /proofs|:period|profiles/.test(path) ? [400] : [200, 404];
          expect(/^POST .v1.(statements|transfers)$/.test(name) ? [422] : told, set.join('+')).to.include(
            answer.status,
          );
          await answer.body?.cancel();
          continue;
        }
        expect(answer.status, set.join('+')).to.equal(403);
        expect(await answer.json()).to.include({ code: 'forbidden', detail: `the API key lacks the scope ${missing}` });
      }
    });
  }
});
