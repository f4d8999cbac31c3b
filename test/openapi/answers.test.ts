import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { MatchDecision } from '../../projections/match/decision.ts';
import { itemIdOf } from '../../projections/match/item-id.ts';
import { orderNode } from '../../projections/match/node.ts';
import { queryLimits } from '../../src/access/query-limits.ts';
import { branded } from '../../src/domain/brand.ts';
import type { OrderId } from '../../src/domain/ids.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { listen } from '../../src/http/http-server.ts';
import { answerToUnreadable } from '../../src/http/unreadable-request.ts';
import type { SeenAnswer } from '../support/document-checker.ts';
import { accepted, type DeliveryAnswer } from '../support/answers.ts';
import { deliver, exchange } from '../support/exchange.ts';
import { bodyOf, newOrderId, offRamp, onRamp } from '../support/payloads.ts';
import { deliver as taken } from '../support/quarantine-scene.ts';
import { right } from '../support/right.ts';
import { API_KEY, startLedger, type RunningLedger } from '../support/running-ledger.ts';
import { NOW } from '../support/route-dependencies.ts';
import { serveApi } from '../support/serve-api.ts';
import { head, openWire } from '../support/wire.ts';
import { answersAboutClosures } from './answers-about-closures.ts';
import { answersAboutDamage } from './answers-about-damage.ts';
import { answersAboutMonths } from './answers-about-months.ts';
import { answersOfMetrics } from './answers-of-metrics.ts';
import { answersToDeliveries } from './answers-to-deliveries.ts';
import { answersWhileAway } from './answers-while-away.ts';
import { DECISION, documentScene, EXPLAINED, metricsOf, NOBODY } from './document-scene.ts';
import { successes } from './successes.ts';

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

describe('every answer of the interface', () => {
  const scene = documentScene();
  const { asker, checker, keyed } = scene;

  it('of a real ledger is as documented', async () => {
    const ledger: RunningLedger = await startLedger({ env: SIGNING });
    const send = async (payload: JsonObject | string): Promise<DeliveryAnswer> => {
      const answer = await deliver(ledger.url, payload);
      checker().hold('POST', '/v1/webhooks', answer);
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
    const asked = successes({ onRamp: onRampId, offRamp: offRampId, quarantined: eventId });
    for (const [id, all] of Object.entries(asked)) {
      for (const { method, path, headers, body } of all) {
        const scoped = checker().scopes(id).length > 0;
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
        checker().hold(method, path, answer);
        position = (method === 'POST' ? /"position":"(\d+)"/.exec(answer.text)?.[1] : undefined) ?? position;
        expect(
          checker()
            .seen()
            .some((seen) => seen.startsWith(`${id} 200`)),
          id,
        ).to.equal(true);
      }
    }
    for (const path of ['/openapi.json', '/docs']) {
      const known = await exchange(ledger.url, { path, headers: { 'If-None-Match': '*' } });
      expect(known.status, path).to.equal(304);
      checker().hold('GET', path, known);
    }
    expect(ledger.unexpected).to.deep.equal([]);
    await ledger.close();
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
    expect((await ask('GET', '/v1/log/key?nonsense=1', null)).status).to.equal(400);
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

  it('to a decision that is too long, too large, or can not be kept, is as documented', async () => {
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
    const many = Array.from({ length: 15_000 }, (_, i) => orderNode(branded<OrderId>(`${'x'.repeat(64)}${i}`)));
    const large = await serveApi({
      readModels: {
        ...whole.readModels,
        matchDecidable: () =>
          TE.right({ item: { ...item, members: many, itemId: itemIdOf(many) }, decision: null, named: [], facts: [] }),
      },
    });
    expect((await asker(large)('POST', DECISION, 'statements:write', EXPLAINED('POST'))).status).to.equal(422);
    await large.close();
    await whole.close();
  });

  answersOfMetrics(scene);
  answersToDeliveries(scene);
  answersAboutMonths(scene);
  answersAboutClosures(scene);
  answersAboutDamage(scene);
  answersWhileAway(scene);

  it('is all that is documented', () => {
    // A body that is ten seconds late is told of where bodies are read (test/api/request-body.test.ts).
    const documented = checker()
      .documented()
      .filter((one) => !one.includes('body-timeout') || one.startsWith('receiveDelivery'));
    const seen = checker().seen();
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
      return checker().holdUnreadable(answer ?? expect.fail('no answer'));
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
    expect(checker().holdUnreadable(late)).to.equal('request-timeout');
  });

  it('with a field or a status more would not pass', () => {
    const answer = (status: number, body: object): SeenAnswer => ({
      status,
      headers: { 'content-type': 'application/json', 'x-request-id': 'request-1' },
      text: JSON.stringify(body),
    });
    expect(() => checker().hold('GET', '/livez', answer(200, { status: 'alive' }))).not.to.throw();
    expect(() => checker().hold('GET', '/livez', answer(200, { status: 'alive', more: 1 }))).to.throw('additional');
    expect(() => checker().hold('GET', '/livez', answer(200, {}))).to.throw('required');
    expect(() => checker().hold('GET', '/livez', answer(206, { status: 'alive' }))).to.throw('undocumented status');
  });
});
