import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { MatchDecision } from '../../projections/match/decision.ts';
import { itemIdOf } from '../../projections/match/item-id.ts';
import { orderNode } from '../../projections/match/node.ts';
import type { ApiDependencies } from '../../src/api/api-dependencies.ts';
import { metricsRoutes } from '../../src/api/metrics-routes.ts';
import { queryLimits } from '../../src/access/query-limits.ts';
import { isLoopback } from '../../src/config/loopback.ts';
import { branded } from '../../src/domain/brand.ts';
import { orderStream, ownStream, quarantineStream, type OrderId, type SecretId } from '../../src/domain/ids.ts';
import { instantOf } from '../../src/domain/instant.ts';
import { isJsonObject, type JsonObject } from '../../src/domain/json.ts';
import { readExactly } from '../../src/domain/read-exactly.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import { unreadableEvent } from '../../src/domain/unreadable-event.ts';
import { listen } from '../../src/http/http-server.ts';
import { answerToUnreadable } from '../../src/http/unreadable-request.ts';
import { noProofLog } from '../../src/proofs/no-proof-log.ts';
import type { CellsAnswer, ReadModels } from '../../src/read-models/read-models.ts';
import type { ReceiveDeps, ReceiveSettings } from '../../src/webhooks/receive-delivery.ts';
import { webhookRoutes } from '../../src/webhooks/webhook-routes.ts';
import { DocumentChecker, seenAnswer, type SeenAnswer } from '../support/document-checker.ts';
import { accepted, type DeliveryAnswer } from '../support/answers.ts';
import { deliver, exchange } from '../support/exchange.ts';
import { bodyOf, newOrderId, offRamp, onRamp, SECRET, signatureOf } from '../support/payloads.ts';
import { deliver as taken, putAway } from '../support/quarantine-scene.ts';
import { right } from '../support/right.ts';
import { API_KEY, startLedger, type RunningLedger } from '../support/running-ledger.ts';
import { NOW } from '../support/route-dependencies.ts';
import { API_KEYS, serveApi, type ServedApi } from '../support/serve-api.ts';
import { head, openWire } from '../support/wire.ts';
import { NO_ARRIVALS } from '../support/no-arrivals.ts';
import { successes } from './successes.ts';

const SETTINGS: ReceiveSettings = {
  signatureHeader: 'X-Service-Signature',
  signedForm: 'bytes',
  maxBodyBytes: 10_000,
  bodyWithinMs: 200,
  maxAgeSeconds: 300,
  mostUnderWay: 100,
  mostUnread: 100,
};

const NOBODY = randomUUID();

const DECISION = `/v1/reconciliation/items/${'0'.repeat(40)}/decision`;

const EXPLAINED = (method: string): RequestInit => (method === 'POST' ? { body: '{"decision":"explain"}' } : {});

const DECIDED: Omit<MatchDecision, 'itemId' | 'group'> = {
  decision: 'explain',
  with: [],
  note: '',
  by: 'k',
  at: NOW,
  apart: [],
  facts: null,
};

const SIGNING = {
  LEDGER_ORIGIN: 'log.example/test',
  LEDGER_SIGNING_KEY: generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }),
};

/** The document of an interface whose settings let every problem occur. */
const documentOf = async (api: ServedApi): Promise<JsonObject> => {
  const { value } = readExactly(await (await api.ask('/openapi.json', null)).text());
  return isJsonObject(value) ? value : expect.fail('no document');
};

/** The route of deliveries over a recorder of the test's. */
const webhooksOver = (record: ReceiveDeps['record']): ReturnType<typeof webhookRoutes> =>
  webhookRoutes({
    settings: SETTINGS,
    secrets: () => [{ id: branded<SecretId>('primary'), key: Buffer.from(SECRET) }],
    now: () => NOW,
    recall: () => null,
    record,
    onVerified: () => undefined,
    ...NO_ARRIVALS,
    onFailure: () => undefined,
  });

type MetricsDeps = Parameters<typeof metricsRoutes>[0];

const metricsOf = (over: Partial<MetricsDeps> = {}): ReturnType<typeof metricsRoutes> =>
  metricsRoutes({
    open: false,
    isLoopback,
    page: () => Promise.resolve({ type: 'text/plain; version=0.0.4; charset=utf-8', text: 'figure 1\n' }),
    apiKeys: () => API_KEYS,
    limits: queryLimits({ perMinute: 1_000_000, mostUnderWay: 100 }),
    log: { error: () => undefined, warn: () => undefined },
    ...over,
  });

/** Every question to it fails as nobody expected. */
const broken = <A extends object>(port: A): A =>
  new Proxy(port, {
    get: () => () => {
      throw new Error('broken');
    },
  });

describe('every answer of the interface', () => {
  let checker: DocumentChecker;

  before(async () => {
    const api = await serveApi({}, [webhooksOver(() => TE.right({ outcome: 'spooled', orderId: null })), metricsOf()]);
    checker = new DocumentChecker(await documentOf(api));
    await api.close();
  });

  /** Asks an interface, and holds what it answers to the document. */
  const asker =
    ({ ask }: ServedApi) =>
    async (method: string, path: string, scopes: string | null, init: RequestInit = {}): Promise<SeenAnswer> => {
      const answer = await seenAnswer(await ask(path, scopes, { ...init, method }));
      checker.hold(method, path, answer);
      return answer;
    };

  const delivery = (body: Buffer, headers: Readonly<Record<string, string>> = {}): RequestInit => ({
    body: body.toString(),
    headers: { 'Content-Type': 'application/json', 'X-Service-Signature': signatureOf(body), ...headers },
  });

  /** What needs a key: of each operation a request without parameters, and its scopes as `serveApi` names keys. */
  const keyed = (): readonly (readonly [
    string,
    { method: string; path: string; whole: string; scopes: string; init: RequestInit },
  ])[] => [
    ...Object.entries(requests('a', 'b', NOBODY)).flatMap(([id, [first]]) => {
      const scopes = checker.scopes(id).join('+');
      if (first === undefined || scopes === '') return [];
      return [
        [
          id,
          {
            method: first.method,
            path: first.path.replace(/\?.*/, ''),
            whole: first.path,
            scopes,
            init: first.body === undefined ? {} : { body: first.body },
          },
        ] as const,
      ];
    }),
    ['getMetrics', { method: 'GET', path: '/metrics', whole: '/metrics', scopes: 'admin', init: {} }],
  ];

  const requests = (onRampId: string, offRampId: string, quarantined: string) =>
    successes({ onRamp: onRampId, offRamp: offRampId, quarantined });

  it('of a real ledger is as documented', async () => {
    const ledger: RunningLedger = await startLedger({ env: SIGNING });
    const send = async (payload: JsonObject | string): Promise<DeliveryAnswer> => {
      const answer = await deliver(ledger.url, payload);
      checker.hold('POST', '/v1/webhooks', answer);
      return accepted(answer);
    };
    const [onRampId, offRampId] = [newOrderId(), newOrderId()];
    const on = onRamp({ orderId: onRampId, metaData: { note: 'a', mail: 'x@example.com' } });
    await send(on);
    await send(on);
    await send({ ...on, fiat: 101, chainId: 80002 });
    await send({ ...on, status: 'completed', txnHash: '0xab', metaData: { commission: '1', conversionRate: '90.2' } });
    const off = offRamp({ orderId: offRampId, status: 'PayoutSuccess', utr: '412345678901' });
    await send(off);
    await send({ ...off, status: 'fiatDeemed', updated_at: 7 });
    await send({ ...off, orderId: 'another', status: 'onHold', utr: null });
    const { eventId } = await send('{"eventType":"onramp"}');
    let { position } = await send(offRamp());
    const asked = requests(onRampId, offRampId, eventId);
    for (const [id, all] of Object.entries(asked)) {
      for (const { method, path, headers, body } of all) {
        const scoped = checker.scopes(id).length > 0;
        const target =
          /^\/v1\/(reports|exports|reconciliation$)/.test(path) || /^listOrders$|^list(Statement|Transfer)/.test(id)
            ? `${path}${path.includes('?') ? '&' : '?'}position=${position}`
            : path;
        const answer = await exchange(ledger.url, {
          method,
          path: target,
          headers: { ...headers, ...(scoped ? { Authorization: `Bearer ${API_KEY}` } : {}) },
          ...(body === undefined ? {} : { body: Buffer.from(body) }),
        });
        expect(answer.status, `${path} ${answer.text}`).to.equal(200);
        checker.hold(method, path, answer);
        position = (method === 'POST' ? /"position":"(\d+)"/.exec(answer.text)?.[1] : undefined) ?? position;
        expect(
          checker.seen().some((seen) => seen.startsWith(`${id} 200`)),
          id,
        ).to.equal(true);
      }
    }
    expect(ledger.unexpected).to.deep.equal([]);
    await ledger.close();
  });

  it('of the metrics is as documented', async () => {
    const api = await serveApi({}, [metricsOf()]);
    expect((await asker(api)('GET', '/metrics', 'admin')).status).to.equal(200);
    await api.close();
  });

  it('of metrics that are for everybody is as a document of them says', async () => {
    const routes = [metricsOf({ open: true })];
    const api = await serveApi({}, routes);
    const open = new DocumentChecker(await documentOf(api));
    for (const path of ['/metrics', '/metrics?nonsense=1']) {
      open.hold('GET', path, await seenAnswer(await api.ask(path, null)));
    }
    const failing = await serveApi({}, [metricsOf({ open: true, page: () => Promise.reject(new Error('broken')) })]);
    open.hold('GET', '/metrics', await seenAnswer(await failing.ask('/metrics', null)));
    const passedOn = { headers: { 'X-Forwarded-For': '203.0.113.7' } };
    for (const scopes of [null, 'orders:read']) {
      open.hold('GET', '/metrics', await seenAnswer(await api.ask('/metrics', scopes, passedOn)));
    }
    for (const settings of [
      { perMinute: 0, mostUnderWay: 100 },
      { perMinute: 1_000, mostUnderWay: 0 },
    ]) {
      const full = await serveApi({}, [metricsOf({ open: true, limits: queryLimits(settings) })]);
      open.hold('GET', '/metrics', await seenAnswer(await full.ask('/metrics', 'admin', passedOn)));
      await full.close();
    }
    const ofMetrics = (answers: readonly string[]): readonly string[] =>
      answers.filter((answer) => answer.startsWith('getMetrics')).toSorted();
    expect(ofMetrics(open.seen())).to.deep.equal(ofMetrics(open.documented()));
    expect(open.scopes('getMetrics')).to.deep.equal([]);
    await failing.close();
    await api.close();
  });

  it('to a key that asks too often, and where too many ask at once, is as documented', async () => {
    for (const [settings, status] of [
      [{ perMinute: 0, mostUnderWay: 100 }, 429],
      [{ perMinute: 1_000, mostUnderWay: 0 }, 503],
    ] as const) {
      const limits = queryLimits(settings);
      const api = await serveApi({ limits }, [metricsOf({ limits })]);
      const ask = asker(api);
      for (const [id, { method, path, scopes }] of keyed()) {
        expect((await ask(method, path, scopes)).status, id).to.equal(status);
      }
      await api.close();
    }
  });

  it('with personal data masked is as documented', async () => {
    const api = await serveApi();
    const ask = asker(api);
    const { store } = api;
    const metaData = { email: 'x@example.com', phone: 7, 'y@example.com': ['z@example.com'] };
    await taken(store, bodyOf(offRamp({ orderId: 'masked', metaData })));
    await taken(store, bodyOf(onRamp({ orderId: 'masked-too', status: 'a@b.example', metaData })));
    for (const id of ['masked', 'masked-too']) {
      await ask('GET', `/v1/orders/${id}`, 'orders:read');
      await ask('GET', `/v1/orders/${id}/events`, 'orders:read');
      await ask('GET', `/v1/orders/${id}/audit`, 'audit:read');
    }
    await ask('GET', '/v1/orders', 'orders:read');
    await ask('GET', '/v1/reports/onramp', 'reports:read');
    await ask('GET', '/v1/audit', 'audit:read');
    await api.close();
  });

  it('to callers without a key or a scope, and to unknown parameters, is as documented', async () => {
    const api = await serveApi({}, [metricsOf()]);
    const ask = asker(api);
    for (const [id, { method, path, scopes }] of keyed()) {
      const other = scopes === 'pii:read' ? 'admin' : 'pii:read';
      expect((await ask(method, path, null)).status, id).to.equal(401);
      expect((await ask(method, path, other)).status, id).to.equal(403);
      expect((await ask(method, `${path}?nonsense=1`, scopes)).status, id).to.equal(400);
    }
    await api.close();
  });

  it('about what is not there is as documented', async () => {
    const api = await serveApi();
    const ask = asker(api);
    await ask('GET', '/v1/orders/nobody', 'orders:read');
    await ask('GET', '/v1/orders/nobody/events', 'orders:read');
    await ask('GET', '/v1/orders/nobody/events/0/body', 'audit:read+pii:read');
    await ask('GET', '/v1/orders/nobody/audit', 'audit:read');
    await ask('GET', `/v1/quarantine/${NOBODY}/body`, 'audit:read+pii:read');
    await ask('POST', `/v1/quarantine/${NOBODY}/release`, 'quarantine:write');
    for (const method of ['POST', 'DELETE']) await ask(method, DECISION, 'statements:write', EXPLAINED(method));
    await ask('GET', `/v1/statements/${'0'.repeat(64)}/lines`, 'reports:read');
    await ask('POST', '/v1/statements', 'statements:write', { body: 'no bank file' });
    await ask('POST', '/v1/transfers', 'statements:write', { body: 'no transfers' });
    for (const [path, most] of [
      ['/v1/statements', 16 * 1_048_576],
      ['/v1/transfers', 16 * 1_048_576],
      ['/v1/statements/profiles/a', 65_536],
    ] as const) {
      expect((await ask('POST', path, 'statements:write', { body: 'x'.repeat(most + 1) })).status).to.equal(413);
    }
    await ask('GET', '/v1/orders/nobody/evidence', 'audit:read+pii:read');
    await ask('GET', '/v1/log/tile/0/x', 'audit:read');
    await ask('GET', '/v1/proofs/inclusion?orderId=nobody&revision=0', 'audit:read');
    await api.close();
  });

  it('while the log is not signed, or its history is lost, is as documented', async () => {
    const api = await serveApi();
    await taken(api.store, bodyOf(onRamp({ orderId: 'a' })));
    const lost = TE.left({ _tag: 'HistoryLost' as const, detail: 'gone' });
    const without = await serveApi({
      store: api.store,
      readModels: api.readModels,
      proofs: { ...noProofLog, newest: () => lost, including: () => lost },
    });
    for (const served of [api, without]) {
      for (const [id, { path, whole, scopes }] of keyed()) {
        if (!/^\/v1\/(log|proofs)/.test(path)) continue;
        expect((await asker(served)('GET', whole, scopes)).status, id).to.equal(503);
      }
      await asker(served)('GET', '/v1/log/key', null);
      await asker(served)('GET', '/v1/orders/a/evidence', 'audit:read+pii:read');
    }
    api.store.takeAway('away');
    await asker(api)('GET', '/v1/proofs/inclusion?orderId=a&revision=0', 'audit:read');
    const signed = { note: '', size: 1, position: null, signedAt: NOW };
    const awayBehind = await serveApi({
      store: api.store,
      proofs: { ...noProofLog, newest: () => TE.right(signed), positions: () => TE.right([]) },
    });
    await asker(awayBehind)('GET', '/v1/log/tile/entries/000.p%2F1', 'audit:read');
    await awayBehind.close();
    await without.close();
    await api.close();
  });

  it('while the event store or the read models are away is as documented', async () => {
    const away = TE.left({ _tag: 'StoreUnavailable' as const, detail: 'away' });
    const api = await serveApi();
    api.store.takeAway('away');
    const none = await serveApi({ store: { ...api.store, parsePosition: () => away } });
    none.readModels.hold();
    const lists = keyed().filter(([id]) =>
      /^(list(Orders|AuditEntries|Quarantine|Statement.*|Transfers|ReconciliationItems)|get(.*Report(Workbook)?|Reconciliation)|export.*)$/.test(
        id,
      ),
    );
    expect(lists).to.have.length(19);
    for (const [id, { path, scopes }] of lists) {
      expect((await asker(none)('GET', `${path}?position=1`, scopes)).status, id).to.equal(503);
    }
    const ask = asker(api);
    await ask('GET', '/v1/events/live', 'orders:read');
    await ask('GET', '/readyz', null);
    await ask('GET', '/v1/orders/a', 'orders:read');
    await ask('GET', '/v1/orders/a/events', 'orders:read');
    await ask('GET', '/v1/orders/a/events/0/body', 'audit:read+pii:read');
    await ask('GET', '/v1/orders/a/audit', 'audit:read');
    await ask('GET', '/v1/orders/a/evidence', 'audit:read+pii:read');
    await ask('GET', `/v1/quarantine/${NOBODY}/body`, 'audit:read+pii:read');
    await ask('POST', `/v1/quarantine/${NOBODY}/release`, 'quarantine:write');
    for (const method of ['POST', 'DELETE']) await ask(method, DECISION, 'statements:write', EXPLAINED(method));
    const written = keyed().filter(([id]) => /^(importStatement|importTransfers|setStatementProfile)$/.test(id));
    for (const [, { path, scopes, init }] of written) await ask('POST', path, scopes, init);
    for (const files of [
      {
        open: () => TE.left({ _tag: 'FileFailed' as const, detail: 'full' }),
        openTransfers: () => TE.left({ _tag: 'FileFailed' as const, detail: 'full' }),
        keep: () => TE.right(undefined),
      },
    ]) {
      const full = await serveApi({ statementFiles: files });
      for (const [, { path, scopes, init }] of written) await asker(full)('POST', path, scopes, init);
      full.readModels.takeAway('away');
      await full.close();
      const behind = await serveApi();
      behind.readModels.takeAway('away');
      await taken(behind.store, bodyOf(onRamp({ orderId: 'b' })));
      for (const [, { path, scopes, init }] of written) await asker(behind)('POST', path, scopes, init);
      await behind.close();
    }
    api.readModels.takeAway('away');
    for (const [, { path, scopes }] of lists) await ask('GET', path, scopes);
    await ask('GET', `/v1/quarantine/${NOBODY}/body`, 'audit:read+pii:read');
    await ask('POST', `/v1/quarantine/${NOBODY}/release`, 'quarantine:write');
    for (const method of ['POST', 'DELETE']) await ask(method, DECISION, 'statements:write', EXPLAINED(method));
    await none.close();
    await api.close();
  });

  it('to a decision that is too long, or can not be kept, is as documented', async () => {
    const members = [orderNode(branded<OrderId>('a'))];
    const item = { itemId: itemIdOf(members), members, decision: null };
    const decidable = TE.right({
      item,
      decision: { ...DECIDED, itemId: item.itemId, group: members },
      named: [],
      facts: [],
    });
    const whole = await serveApi();
    const refused = TE.left({ _tag: 'AppendRefused' as const, detail: 'too large' });
    const api = await serveApi({
      store: { ...whole.store, append: () => refused },
      readModels: { ...whole.readModels, matchDecidable: () => decidable },
    });
    const ask = asker(api);
    for (const method of ['POST', 'DELETE']) {
      expect((await ask(method, DECISION, 'statements:write', EXPLAINED(method))).status).to.equal(503);
    }
    const body = JSON.stringify({ decision: 'explain', note: 'x'.repeat(300_000) });
    expect((await ask('POST', DECISION, 'statements:write', { body })).status).to.equal(413);
    await api.close();
    await whole.close();
  });

  it('about months is as documented', async () => {
    const api = await serveApi();
    const ask = asker(api);
    const [month, close, reopen] = ['/v1/periods/2023-03', '/v1/periods/2023-03/close', '/v1/periods/2023-03/reopen'];
    const body = JSON.stringify({ note: 'x', despite: ['month-over', 'clock-anomalies', 'earlier-closed'] });
    const reads = ['/v1/periods', month, `${month}/readiness`, `${month}/adjustments`, `${month}/workbook`];
    const writes = [close, reopen];
    const all = async (asked: typeof ask): Promise<void> => {
      for (const path of reads) await asked('GET', path, 'reports:read');
      for (const path of writes) await asked('POST', path, 'periods:write', { body });
    };
    await all(ask);
    await taken(api.store, bodyOf(onRamp({ status: 'completed' })));
    await taken(api.store, bodyOf(onRamp({ status: 'completed', createdAt: '2023-02-01T00:00:00Z' })));
    expect((await ask('POST', close, 'periods:write', { body: '{}' })).status).to.equal(409);
    expect((await ask('GET', `${month}/workbook`, 'reports:read')).status).to.equal(409);
    expect((await ask('POST', reopen, 'periods:write', { body })).status).to.equal(409);
    const refused = TE.left({ _tag: 'AppendRefused' as const, detail: 'too large' });
    const refusing = await serveApi({ store: { ...api.store, append: () => refused }, readModels: api.readModels });
    expect((await asker(refusing)('POST', close, 'periods:write', { body })).status).to.equal(503);
    // Noise can not be packed.
    const noise = randomBytes(1_048_576).toString('hex');
    const cells: ReadModels['cells'] = (question) =>
      TE.map((answer: CellsAnswer) => ({
        ...answer,
        cells: answer.cells.map((cell) => ({ ...cell, facet: { ...cell.facet, symbol: noise } })),
      }))(api.readModels.cells(question));
    const large = await serveApi({ store: api.store, readModels: { ...api.readModels, cells } });
    expect((await asker(large)('POST', close, 'periods:write', { body })).status).to.equal(422);
    await large.close();
    expect((await ask('POST', close, 'periods:write', { body })).status).to.equal(200);
    expect((await asker(refusing)('POST', reopen, 'periods:write', { body })).status).to.equal(503);
    expect((await ask('POST', close, 'periods:write', { body })).status).to.equal(409);
    const [first, before] = [`/v1/periods/2023-02/close`, `/v1/periods/2023-02/reopen`];
    expect((await ask('POST', first, 'periods:write', { body })).status).to.equal(200);
    expect((await ask('POST', before, 'periods:write', { body })).status).to.equal(409);
    await refusing.close();
    for (const path of writes) {
      expect((await ask('POST', path, 'periods:write', { body: 'x'.repeat(100_000) })).status).to.equal(413);
    }
    const held = await serveApi({ store: api.store });
    held.readModels.takeAway('away');
    await all(asker(held));
    await held.close();
    api.store.tamper(ownStream('period', '2023-03'), 0, { data: '{}' });
    await all(ask);
    api.store.takeAway('away');
    await all(ask);
    await api.close();
  });

  it('about what is closed in quarantine is as documented', async () => {
    const api = await serveApi();
    const ask = asker(api);
    const { body } = await putAway(api.store, offRamp());
    const [event = expect.fail('nothing in quarantine')] = right(
      await api.store.readStream(quarantineStream(sha256(body)))(),
    );
    const pathOf = (deed: string, id: string): string => `/v1/quarantine/${id}/${deed}`;
    const both = async (asked: typeof ask, id: string = event.id, note = 'x'): Promise<readonly number[]> => {
      const init = { body: JSON.stringify({ note }) };
      const closed = await asked('POST', pathOf('close', id), 'quarantine:write', init);
      const reopened = await asked('POST', pathOf('reopen', id), 'quarantine:write', init);
      return [closed.status, reopened.status];
    };
    expect(await both(ask, NOBODY)).to.deep.equal([404, 404]);
    const init = { body: '{"note":"x"}' };
    expect((await ask('POST', pathOf('reopen', event.id), 'quarantine:write', init)).status).to.equal(409);
    const refused = TE.left({ _tag: 'AppendRefused' as const, detail: 'too large' });
    const refusing = await serveApi({ store: { ...api.store, append: () => refused }, readModels: api.readModels });
    expect((await asker(refusing)('POST', pathOf('close', event.id), 'quarantine:write', init)).status).to.equal(503);
    expect((await ask('POST', pathOf('close', event.id), 'quarantine:write', init)).status).to.equal(200);
    expect((await asker(refusing)('POST', pathOf('reopen', event.id), 'quarantine:write', init)).status).to.equal(503);
    await refusing.close();
    const other = { body: '{"note":"y"}' };
    expect((await ask('POST', pathOf('close', event.id), 'quarantine:write', other)).status).to.equal(409);
    const [closing = expect.fail('nothing closed')] = right(
      await api.store.readStream(ownStream('closure', sha256(body)))(),
    );
    api.store.tamper(closing.stream, 0, { data: '{}' });
    expect(await both(ask)).to.deep.equal([500, 500]);
    api.store.tamper(closing.stream, 0, { data: closing.data });
    for (const deed of ['close', 'reopen']) {
      const large = { body: JSON.stringify({ note: 'x'.repeat(100_000) }) };
      expect((await ask('POST', pathOf(deed, event.id), 'quarantine:write', large)).status).to.equal(413);
    }
    await taken(api.store, body);
    await ask('POST', `/v1/quarantine/${event.id}/release`, 'quarantine:write');
    expect(await both(ask)).to.deep.equal([409, 409]);
    const held = await serveApi({ store: api.store });
    held.readModels.takeAway('away');
    expect(await both(asker(held))).to.deep.equal([503, 503]);
    await held.close();
    api.store.takeAway('away');
    await both(ask);
    await api.close();
  });

  it('about a damaged event is as documented', async () => {
    const api = await serveApi();
    const ask = asker(api);
    await taken(api.store, bodyOf(onRamp({ orderId: 'damaged' })));
    api.store.tamper(orderStream(branded<OrderId>('damaged')), 0, { metadata: '{}' });
    await ask('GET', '/v1/orders/damaged', 'orders:read');
    await ask('GET', '/v1/orders/damaged/events', 'orders:read');
    await ask('GET', '/v1/orders/damaged/events/0/body', 'audit:read+pii:read');
    await ask('GET', '/v1/exports/events/manifest', 'audit:read+orders:read');
    const signed = { note: '', size: 1, position: right(await api.store.head()()), signedAt: NOW };
    const proven = await serveApi({
      store: api.store,
      proofs: { ...noProofLog, including: () => TE.right(signed) },
    });
    await asker(proven)('GET', '/v1/orders/damaged/evidence', 'audit:read+pii:read');
    await proven.close();
    const { body } = await putAway(api.store, '{');
    const stream = quarantineStream(sha256(body));
    const [event = expect.fail('nothing in quarantine')] = right(await api.store.readStream(stream)());
    const { id } = event;
    const failing = (failure: ReturnType<ApiDependencies['release']>): Promise<ServedApi> =>
      serveApi({ store: api.store, readModels: api.readModels, release: () => failure });
    const failures = [
      TE.left(unreadableEvent(event, 'damaged')),
      TE.left({ _tag: 'StoreUnavailable' as const, detail: 'away' }),
      TE.left({ _tag: 'RacesLost' as const, stream }),
    ];
    for (const failure of failures) {
      const over = await failing(failure);
      await asker(over)('POST', `/v1/quarantine/${id}/release`, 'quarantine:write');
      await over.close();
    }
    const known = api.readModels.quarantined(id);
    const before = right(await known());
    api.store.tamper(stream, 0, { metadata: '{}' });
    const over = await serveApi({
      store: api.store,
      readModels: { ...api.readModels, quarantined: () => TE.right(before) },
    });
    await asker(over)('GET', `/v1/quarantine/${id}/body`, 'audit:read+pii:read');
    await over.close();
    await api.close();
  });

  it('where something breaks is as documented', async () => {
    const whole = await serveApi();
    const failing = (): never => {
      throw new Error('broken');
    };
    const api = await serveApi(
      {
        store: broken(whole.store),
        readModels: broken(whole.readModels),
        proofs: broken(noProofLog),
        exporter: failing,
      },
      [webhooksOver(failing), metricsOf({ page: failing })],
    );
    const ask = asker(api);
    for (const [id, { method, whole: path, scopes, init }] of keyed()) {
      expect((await ask(method, path, scopes, init)).status, id).to.equal(500);
    }
    expect((await ask('POST', '/v1/webhooks', null, delivery(bodyOf(onRamp({ createdAt: NOW }))))).status).to.equal(
      500,
    );
    await api.close();
    await whole.close();
  });

  it('to a delivery is as documented', async () => {
    const young = (): Buffer => bodyOf(onRamp({ createdAt: NOW }));
    const results: readonly ReceiveDeps['record'][] = [
      () => TE.right({ outcome: 'spooled', orderId: null }),
      () => TE.left({ _tag: 'StoreUnavailable', detail: 'away' }),
      () => TE.left({ _tag: 'RacesLost', stream: orderStream(branded<OrderId>('a')) }),
    ];
    const statuses: number[] = [];
    for (const record of results) {
      const api = await serveApi({}, [webhooksOver(record)]);
      statuses.push((await asker(api)('POST', '/v1/webhooks', null, delivery(young()))).status);
      await api.close();
    }
    expect(statuses).to.deep.equal([202, 503, 503]);
    const api = await serveApi({}, [webhooksOver(() => TE.right({ outcome: 'spooled', orderId: null }))]);
    const ask = asker(api);
    const refused = async (init: RequestInit): Promise<number> =>
      (await ask('POST', '/v1/webhooks', null, init)).status;
    expect(await refused({ body: young().toString(), headers: { 'Content-Type': 'application/json' } })).to.equal(401);
    expect(await refused(delivery(young(), { 'X-Service-Signature': 'zz' }))).to.equal(401);
    expect(await refused(delivery(young(), { 'X-Service-Signature': '0'.repeat(64) }))).to.equal(401);
    expect(await refused(delivery(bodyOf(onRamp({ createdAt: instantOf(0) }))))).to.equal(401);
    expect(await refused(delivery(young(), { 'Content-Type': 'text/plain' }))).to.equal(415);
    expect(await refused(delivery(Buffer.alloc(20_000, 32)))).to.equal(413);
    const wire = openWire(api.url);
    wire.write(
      head('POST /v1/webhooks HTTP/1.1', { host: 'x', 'content-type': 'application/json', 'content-length': 9 }),
    );
    const [late] = await wire.answered(1);
    checker.hold('POST', '/v1/webhooks', late ?? expect.fail('no answer'));
    wire.write('too late!');
    await wire.closed();
    await api.close();
  });

  it('is all that is documented', () => {
    // A body that is ten seconds late is told of where bodies are read (test/api/request-body.test.ts).
    const documented = checker
      .documented()
      .filter((one) => !one.includes('body-timeout') || one.startsWith('receiveDelivery'));
    const seen = checker.seen();
    expect(documented.filter((one) => !seen.includes(one))).to.deep.equal([]);
    expect(seen.filter((one) => !documented.includes(one))).to.deep.equal([]);
  });

  it('to what is no request is the default of every operation', async () => {
    const server = right(await listen(() => undefined, '127.0.0.1', 0, randomUUID));
    const first = async (text: string): Promise<string> => {
      const wire = openWire(server.url);
      wire.write(text);
      const [answer] = await wire.answered(1);
      wire.cut();
      return checker.holdUnreadable(answer ?? expect.fail('no answer'));
    };
    expect([
      await first('nonsense\r\n\r\n'),
      await first(head('GET / HTTP/1.1', { host: 'x', 'x-long': 'x'.repeat(20_000) })),
      await first(
        `${head('POST / HTTP/1.1', { host: 'x', 'transfer-encoding': 'chunked' })}1;${'x'.repeat(20_000)}\r\n`,
      ),
    ]).to.deep.equal(['bad-request', 'headers-too-large', 'body-too-large']);
    await server.close();
    const [, text = ''] = answerToUnreadable('ERR_HTTP_REQUEST_TIMEOUT', randomUUID()).split('\r\n\r\n');
    const late = { status: 408, headers: { 'content-type': 'application/problem+json' }, text };
    expect(checker.holdUnreadable(late)).to.equal('request-timeout');
  });

  it('with a field or a status more would not pass', () => {
    const answer = (status: number, body: object): SeenAnswer => ({
      status,
      headers: { 'content-type': 'application/json', 'x-request-id': 'request-1' },
      text: JSON.stringify(body),
    });
    expect(() => checker.hold('GET', '/livez', answer(200, { status: 'alive' }))).not.to.throw();
    expect(() => checker.hold('GET', '/livez', answer(200, { status: 'alive', more: 1 }))).to.throw('additional');
    expect(() => checker.hold('GET', '/livez', answer(200, {}))).to.throw('required');
    expect(() => checker.hold('GET', '/livez', answer(206, { status: 'alive' }))).to.throw('undocumented status');
  });
});
