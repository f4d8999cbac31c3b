import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { format } from 'oxfmt';
import STYLE from '../../.oxfmtrc.json' with { type: 'json' };
import { branded } from '../../src/domain/brand.ts';
import type { SecretId } from '../../src/domain/ids.ts';
import { epochMsOf, type Instant } from '../../src/domain/instant.ts';
import { isJsonObject, member, type JsonObject, type JsonValue } from '../../src/domain/json.ts';
import { RecentOrders } from '../../src/ledger/recent-orders.ts';
import { recordDelivery } from '../../src/ledger/record-delivery.ts';
import { webhookRoutes } from '../../src/webhooks/webhook-routes.ts';
import { bodyOf, SECRET, signatureOf } from '../support/payloads.ts';
import { sandboxPayloads } from '../support/sandbox-payloads.ts';
import { NOW } from '../support/route-dependencies.ts';
import { serveApi, type ServedApi } from '../support/serve-api.ts';
import { NO_ARRIVALS } from '../support/no-arrivals.ts';
import { successes } from './successes.ts';

const FILE = fileURLToPath(new URL('../../src/api/examples.json', import.meta.url));

/** With it set the examples are written anew: `UPDATE_EXAMPLES=1 npx mocha test/openapi/examples.test.ts`. */
const UPDATE = process.env['UPDATE_EXAMPLES'] === '1';

const KNOWN = { onRamp: 'ord-1001', offRamp: 'ord-2001' };

const jsonOf = async (response: Response): Promise<JsonObject> => {
  const value: unknown = await response.json();
  return isJsonObject(value) ? value : expect.fail('no object');
};

const textIn = (object: JsonObject, key: string): string => {
  const value = member(object, key);
  return typeof value === 'string' ? value : expect.fail(`no ${key}`);
};

const KEYS: Readonly<Record<string, string>> = {
  'v1/orders': 'orders:read',
  'v1/audit': 'audit:read',
  'v1/reports': 'reports:read',
  'v1/periods': 'reports:read',
  'v1/statements': 'reports:read',
  'v1/transfers': 'reports:read',
  'v1/quarantine': 'audit:read',
  'v1/exports': 'audit:read+orders:read',
  'v1/events': 'orders:read',
};

const keyFor = (path: string, method: string): string | null => {
  if (method === 'POST' && /^\/v1\/(statements|transfers)/.test(path)) return 'statements:write';
  if (method === 'POST' && path.startsWith('/v1/quarantine/')) return 'quarantine:write';
  if (/\/(close|reopen)$/.test(path)) return 'periods:write';
  if (path.endsWith('/audit')) return 'audit:read';
  if (path.includes('/reconciliation')) return 'reports:read';
  return KEYS[path.split('/').slice(1, 3).join('/').replace(/\?.*/, '')] ?? null;
};

/** A ledger that the sandbox has delivered two orders to, and somebody what can't be read. */
class SandboxScene {
  readonly answers: Record<string, JsonValue> = {};
  readonly requests: Record<string, JsonValue> = {};
  readonly #api: ServedApi;
  readonly #at: { now: Instant };

  constructor(api: ServedApi, at: { now: Instant }) {
    this.#api = api;
    this.#at = at;
  }

  async deliver(body: Buffer, at: Instant): Promise<JsonObject> {
    this.#at.now = at;
    const headers = {
      'Content-Type': 'application/json',
      'X-Service-Signature': signatureOf(body),
      'X-Request-Id': `delivery-${String(this.#api.store.recorded().length + 1).padStart(4, '0')}`,
    };
    return jsonOf(await this.#api.ask('/v1/webhooks', null, { method: 'POST', body: body.toString(), headers }));
  }

  async play(flow: 'onramp' | 'offramp', path: string, orderId: string): Promise<JsonObject> {
    let last: JsonObject = {};
    for (const { payload, at } of sandboxPayloads(flow, path, { orderId, nowMs: epochMsOf(NOW) })) {
      this.requests[textIn(payload, 'status')] = payload;
      last = await this.deliver(bodyOf(payload), at);
    }
    return last;
  }
}

const examplesNow = async (): Promise<JsonObject> => {
  const at: { now: Instant } = { now: NOW };
  let record: ReturnType<typeof recordDelivery> | null = null;
  const webhooks = webhookRoutes({
    settings: {
      signatureHeader: 'X-Service-Signature',
      signedForm: 'bytes',
      maxBodyBytes: 262_144,
      bodyWithinMs: 10_000,
      maxAgeSeconds: null,
      mostUnderWay: 100,
      mostUnread: 100,
    },
    secrets: () => [{ id: branded<SecretId>('primary'), key: Buffer.from(SECRET) }],
    now: () => at.now,
    recall: () => null,
    record: (delivery) => record?.(delivery) ?? expect.fail('not yet'),
    onVerified: () => undefined,
    ...NO_ARRIVALS,
    onFailure: () => expect.fail('not recorded'),
  });
  const api = await serveApi({}, [webhooks]);
  record = recordDelivery({ store: api.store, recent: new RecentOrders(0), quarantined: new Set() });
  const scene = new SandboxScene(api, at);
  const received = await scene.play('onramp', 'completed', KNOWN.onRamp);
  await scene.play('offramp', 'deemed-paid', KNOWN.offRamp);
  const requests = {
    onRampCompleted: scene.requests['completed'] ?? null,
    offRampPayoutSuccess: scene.requests['PayoutSuccess'] ?? null,
  };
  const away = await scene.deliver(bodyOf('{"eventType":"onramp","orderId":"ord-1002"}'), NOW);
  const answers: Record<string, JsonValue> = {
    receiveDelivery: { '200': received, '202': { outcome: 'spooled', orderId: KNOWN.onRamp } },
  };
  const asked = successes({ ...KNOWN, quarantined: textIn(away, 'eventId') });
  for (const [id, [first]] of Object.entries(asked)) {
    // What is proven is another thing in each ledger.
    if (first === undefined || /^\/v1\/(log|proofs)/.test(first.path)) continue;
    if (!/^\/(v1|livez|readyz)/.test(first.path) || /\/(body|evidence|decision)$/.test(first.path)) continue;
    const { method, path, body } = first;
    const response = await api.ask(path, keyFor(path, method), body === undefined ? { method } : { method, body });
    expect(response.status, path).to.equal(200);
    if (response.headers.get('content-type')?.startsWith('application/json') === true) {
      answers[id] = { '200': await jsonOf(response) };
    }
  }
  const problems: Record<string, JsonValue> = {};
  const refused: readonly (readonly [string, string | null])[] = [
    ['/v1/orders?limit=0', 'orders:read'],
    ['/v1/orders', null],
    ['/v1/orders', 'audit:read'],
    ['/v1/orders/ord-9999', 'orders:read'],
  ];
  for (const [path, scopes] of refused) {
    const problem = await jsonOf(await api.ask(path, scopes, { headers: { 'X-Request-Id': 'request-0001' } }));
    problems[textIn(problem, 'code')] = problem;
  }
  await api.close();
  return { requests: { receiveDelivery: requests, orderEvent: requests }, answers, problems };
};

describe('the examples of the document', () => {
  it('are what the ledger answers after what the sandbox delivers', async () => {
    const text = JSON.stringify(await examplesNow());
    if (UPDATE) {
      writeFileSync(FILE, (await format(FILE, text, STYLE)).code);
    }
    expect(JSON.parse(readFileSync(FILE, 'utf8'))).to.deep.equal(JSON.parse(text));
  }).timeout(60_000);
});
