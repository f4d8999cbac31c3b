import { expect } from 'chai';
import * as fc from 'fast-check';
import { apiRoutes } from '../../src/api/api-routes.ts';
import { anyCharacter } from '../support/any-character.ts';
import { deliver, exchange } from '../support/exchange.ts';
import { onRamp } from '../support/payloads.ts';
import { API_KEY, startLedger, type RunningLedger } from '../support/running-ledger.ts';
import { accepted } from '../support/answers.ts';
import { routeDependencies } from '../support/route-dependencies.ts';
import { runs } from '../support/runs.ts';

const ROUTES = apiRoutes(routeDependencies()).map(({ operation }) => operation);
const NAMES = [
  ...new Set(
    ROUTES.flatMap(({ parameters }) => parameters.flatMap(({ name, in: place }) => (place === 'query' ? [name] : []))),
  ),
];

/** What a line of a request may hold: visible ASCII, without blanks; escapes that are none among it. */
const visible = fc.string({
  unit: fc.constantFrom(...'%00%ff%zz%2f%2e%5C../\\;:@=+,*~"\'<>{}[]|^`#$!()aZ09-_'.split('')),
  maxLength: 40,
});
const anything = fc
  .string({ unit: anyCharacter, maxLength: 60 })
  .map((text) => encodeURIComponent(text.toWellFormed()));
/** Values that are nearly right, or right elsewhere, divided by blanks. */
const NEARLY_RIGHT = `
0 -1 1e9 9007199254740993 999999999999999999999999 NaN true null
any lasting 2023-03-01 2023-02-30 -000001-01-01 9999-12-31 2023-03-01T06:31:08.000Z +275760-09-13T00:00:00.001Z
onramp created settled day,currency day,day csv INR __proto__
constructor eyJ9
`.trim();
const nearly = fc.constantFrom('', '%20', 'a'.repeat(3_000), ...NEARLY_RIGHT.split(/\s+/));
const value = fc.oneof(nearly, anything, visible, fc.nat().map(String));
const name = fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...NAMES) }, { weight: 1, arbitrary: anything });
const query = fc
  .array(fc.tuple(name, value), { maxLength: 4 })
  .map((pairs) => pairs.map(([key, text]) => `${key}=${text}`).join('&'));

/** A header's value may hold any byte but control characters. */
const headerText = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .filter((c) => c !== 0x7f)
    .map((c) => String.fromCodePoint(c)),
  maxLength: 60,
});
const headers = fc.record(
  {
    accept: fc.oneof(
      headerText,
      fc.constantFrom('text/csv', 'text/csv;q=0', '*/*;q=NaN', 'application/json, text/csv;q=2'),
    ),
    'x-request-id': headerText,
    'content-type': headerText,
    'content-encoding': headerText,
    'last-event-id': headerText,
    'if-none-match': headerText,
    range: headerText,
    traceparent: headerText,
    cookie: headerText,
    'x-forwarded-for': headerText,
    host: headerText,
  },
  { requiredKeys: [] },
);
const segment = fc.oneof(value, fc.constantFrom('ord-fuzzed', '.', '..', '%2e%2e', '%00'));
const askedRoute = fc.constantFrom(...ROUTES).chain(({ method, path }) =>
  fc.array(segment, { minLength: 2, maxLength: 2 }).map((segments) => {
    let next = 0;
    return { method: method.toUpperCase(), path: path.replaceAll(/\{\w+\}/g, () => segments[next++ % 2] ?? '') };
  }),
);
const anyPath = fc.record({
  method: fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'),
  path: fc.array(segment, { maxLength: 5 }).map((segments) => `/${segments.join('/')}`),
});

describe('fuzzed requests', () => {
  let ledger: RunningLedger;
  before(async () => {
    ledger = await startLedger();
    accepted(await deliver(ledger.url, onRamp({ orderId: 'ord-fuzzed' })));
    // The thread of exports begins with the first one, which takes a while on a busy machine.
    const headers = { Authorization: `Bearer ${API_KEY}` };
    expect((await fetch(`${ledger.url}/v1/exports/orders`, { headers })).status).to.equal(200);
  });
  after(() => ledger.close());
  afterEach(() => expect(ledger.unexpected).to.deep.equal([]));

  const authorization = fc.oneof(
    { weight: 4, arbitrary: fc.constant(`Bearer ${API_KEY}`) },
    { weight: 1, arbitrary: headerText },
  );

  /** Answers that the contract knows; 503 is `behind`, while nothing is broken. */
  const check = async (request: {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
  }): Promise<void> => {
    const answer = await exchange(ledger.url, request);
    expect(answer.status, `${request.method} ${request.path}`).to.be.oneOf([
      200, 400, 401, 403, 404, 405, 406, 408, 411, 413, 415, 422, 503,
    ]);
    expect(answer.headers['x-request-id'], request.path).to.match(/^[\w.:-]{8,128}$/);
    if (answer.status < 400 || request.method === 'HEAD') return;
    expect(answer.headers['content-type']).to.match(/^application\/problem\+json/);
    const problem: unknown = JSON.parse(answer.text);
    expect(problem).to.include({ status: answer.status, requestId: answer.headers['x-request-id'] });
    if (answer.status === 503) expect(problem).to.include({ code: 'behind' });
    expect(answer.text).to.not.match(/node_modules|\.ts:\d|SQLITE|at \w+ \(/);
  };

  it('to every route, with any parameters and headers, are answered as the contract says', async () => {
    await fc.assert(
      fc.asyncProperty(askedRoute, query, headers, authorization, async (route, text, fuzzed, shown) => {
        await check({
          method: route.method,
          path: `${route.path}?${text}`,
          headers: { ...fuzzed, authorization: shown },
        });
      }),
      { numRuns: runs(300) },
    );
  });

  it('to any path, with any method, are answered as the contract says', async () => {
    await fc.assert(
      fc.asyncProperty(anyPath, fc.oneof(query, visible), headers, async (route, text, fuzzed) => {
        await check({
          ...route,
          path: `${route.path}?${text}`,
          headers: { ...fuzzed, authorization: `Bearer ${API_KEY}` },
        });
      }),
      { numRuns: runs(150) },
    );
  });

  it('leave the order as it was', async () => {
    const answer = await exchange(ledger.url, {
      path: '/v1/orders/ord-fuzzed',
      headers: { authorization: `Bearer ${API_KEY}` },
    });
    expect(JSON.parse(answer.text)).to.include({ orderId: 'ord-fuzzed', revision: 0 });
    expect(await ledger.eventCount()).to.equal(1);
  });
});
