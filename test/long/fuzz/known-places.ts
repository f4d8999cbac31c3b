import { apiRoutes } from '../../../src/api/api-routes.ts';
import { signedInCookie } from '../../console/sign-in.ts';
import { BANK_FILES } from '../../support/bank-files/bank-files.ts';
import { deliver, exchange } from '../../support/exchange.ts';
import { offRamp, onRamp } from '../../support/payloads.ts';
import { routeDependencies } from '../../support/route-dependencies.ts';
import { API_KEY } from '../../support/running-ledger.ts';
import { hostileBodies } from '../../webhooks/hostile-bodies.ts';

/** Where requests of a fuzzer go, and with what they get in. */
export type KnownPlaces = {
  /** Paths of the interface, with their parameters as `{name}`, each with its method. */
  readonly routes: readonly (readonly [method: string, path: string])[];
  /** Of those routes: names of parameters of the query. */
  readonly parameters: readonly string[];
  /** Paths with queries that pages of the console lead to, with ids that the ledger has. */
  readonly links: readonly string[];
  /** Those that forms of the console are sent to. */
  readonly actions: readonly string[];
  readonly cookie: string;
  /** Of the session's forms. */
  readonly token: string;
};

const UNDOCUMENTED: KnownPlaces['routes'] = [
  ['POST', '/v1/webhooks'],
  ['POST', '/v1/webhooks'],
  ['GET', '/livez'],
  ['GET', '/readyz'],
  ['GET', '/metrics'],
  ['GET', '/openapi.json'],
  ['GET', '/docs'],
  ['GET', '/docs/swagger-ui.css'],
  ['POST', '/console/sign-in'],
  ['GET', '/console/live'],
  ['GET', '/console/assets/{digest}/{name}'],
];

/** Pages that are looked at for links; there are many more like them. */
const MOST_PAGES = 150;
const MOST_LINKS = 2_000;

/** Has the ledger hold something of each kind. */
const fill = async (url: string): Promise<void> => {
  for (let i = 0; i < 20; i += 1) {
    for (const status of ['fiatPending', 'fiatReceived']) {
      await deliver(url, onRamp({ orderId: `fuzz-${i}`, status, metaData: { at: i } }));
    }
    await deliver(url, offRamp({ orderId: `fuzz-off-${i}` }));
  }
  for (const { bytes } of hostileBodies()) await deliver(url, bytes);
  const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/octet-stream' };
  for (const { format, bytes } of BANK_FILES) {
    if (format === 'csv' || format === 'xlsx') continue;
    await exchange(url, { method: 'POST', path: '/v1/statements', headers, body: Buffer.from(bytes) });
  }
};

const pathsIn = (page: string, attribute: RegExp): readonly string[] =>
  [...page.matchAll(attribute)].map(([, path = '/']) => path.replaceAll('&amp;', '&'));

const pagesFrom = async (url: string, cookie: string): Promise<Pick<KnownPlaces, 'links' | 'actions' | 'token'>> => {
  const links = new Set(['/']);
  const actions = new Set<string>();
  let token = '';
  let looked = 0;
  // Links that are found meanwhile are looked at too.
  for (const path of links) {
    if (path.includes('/files/') || path.includes('/assets/')) continue;
    looked += 1;
    if (looked > MOST_PAGES) break;
    const { text } = await exchange(url, { path, headers: { cookie } });
    token = /name="token" value="([^"]*)"/.exec(text)?.[1] ?? token;
    for (const link of pathsIn(text, / href="(\/[^"#]*)/g)) if (links.size < MOST_LINKS) links.add(link);
    for (const action of pathsIn(text, /<form method="post"[^>]* action="(\/[^"#]*)/g)) actions.add(action);
  }
  // Who is signed out meets nothing more.
  actions.delete('/console/sign-out');
  return { links: [...links], actions: [...actions], token };
};

/** Fills a ledger, and finds what can be asked of it. */
export const knownPlaces = async (url: string): Promise<KnownPlaces> => {
  await fill(url);
  const operations = apiRoutes(routeDependencies()).map(({ operation }) => operation);
  const cookie = await signedInCookie(url, API_KEY);
  return {
    routes: [...operations.map(({ method, path }) => [method.toUpperCase(), path] as const), ...UNDOCUMENTED],
    parameters: [
      ...new Set(
        operations.flatMap(({ parameters }) =>
          parameters.flatMap(({ name, in: place }) => (place === 'query' ? [name] : [])),
        ),
      ),
    ],
    cookie,
    ...(await pagesFrom(url, cookie)),
  };
};
