import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import * as t from 'io-ts';
import { instantOf } from '../../src/domain/instant.ts';
import { bodyOf, offRamp, signatureOf } from '../support/payloads.ts';
import { API_KEY, READER_KEY, startLedger, type RunningLedger } from '../support/running-ledger.ts';
import { right } from '../support/right.ts';

const MASKED_KEY = 'masked-api-key-of-at-least-24-bytes';

const NOW = instantOf(Date.parse('2026-04-30T12:00:00Z'));

const Items = t.type({
  data: t.array(
    t.type({
      itemId: t.string,
      state: t.string,
      breaks: t.array(t.type({ code: t.string })),
      orders: t.array(t.type({ orderId: t.string })),
      ageDays: t.number,
      decision: t.union([
        t.null,
        t.type({ decision: t.string, note: t.string, by: t.string, with: t.array(t.string) }),
      ]),
    }),
  ),
});

const Decided = t.type({ itemId: t.string, position: t.string });

describe('reconciliation routes', () => {
  let ledger: RunningLedger;
  let position = '';

  const paidOut = async (orderId: string, utr: string, updatedAt: string): Promise<void> => {
    const body = bodyOf(offRamp({ orderId, status: 'PayoutSuccess', utr, fiat: 100, updated_at: updatedAt }));
    const response = await fetch(`${ledger.url}/v1/webhooks`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Service-Signature': signatureOf(body) },
      body,
    });
    position = right(t.type({ position: t.string }).decode(await response.json())).position;
  };

  const ask = (path: string, init: RequestInit = {}, key = API_KEY): Promise<Response> =>
    fetch(`${ledger.url}${path}`, { ...init, headers: { Authorization: `Bearer ${key}` } });

  const items = async (query: string) =>
    right(Items.decode(await (await ask(`/v1/reconciliation/items?position=${position}&${query}`)).json())).data;

  const decide = async (itemId: string, body: object): Promise<Response> =>
    ask(`/v1/reconciliation/items/${itemId}/decision`, { method: 'POST', body: JSON.stringify(body) });

  before(async () => {
    const env = {
      API_KEYS: `test:orders:read+reports:read+audit:read+statements:write+pii:read=${API_KEY},reader:orders:read=${READER_KEY},masked:reports:read=${MASKED_KEY}`,
    };
    ledger = await startLedger({ now: () => NOW, env });
    await paidOut('late', 'U1', '2026-04-01T10:00:00Z');
    await paidOut('fresh', 'U2', '2026-04-30T10:00:00Z');
  });
  after(() => ledger.close());

  it('counts what is open by state and age', async () => {
    const answer: unknown = await (await ask(`/v1/reconciliation?position=${position}`)).json();
    const ages = { '0-1': 0, '2-3': 0, '4-7': 0, '8-30': 0, '30+': 0 };
    const row = { flow: 'offramp', currency: 'INR', items: 1, fiat: '100' };
    expect(answer).to.deep.include({
      rows: [
        { ...row, state: 'expected', ageing: { ...ages, '0-1': 1 } },
        { ...row, state: 'unmatched-order', ageing: { ...ages, '8-30': 1 } },
      ],
      totals: [{ currency: 'INR', items: 2, fiat: '200', ageing: { ...ages, '0-1': 1, '8-30': 1 } }],
    });
  });

  it('refuses days in the wrong order, of which it would say that nothing is wrong', async () => {
    const swapped = await ask('/v1/reconciliation?from=2026-04-30&to=2026-04-01');
    expect(swapped.status).to.equal(400);
    expect(await swapped.json()).to.include({ code: 'invalid-parameter', detail: 'from: is later than to' });
  });

  it('has the items of a filter, with their breaks', async () => {
    const [late, ...others] = await items('state=unmatched-order');
    expect(others).to.deep.equal([]);
    expect(late?.breaks.map(({ code }) => code)).to.deep.equal(['missing-at-bank']);
    expect(late?.ageDays).to.equal(29);
    expect((await items('break=timing')).map(({ orders }) => orders[0]?.orderId)).to.deep.equal(['fresh']);
    expect(await items('currency=EUR')).to.deep.equal([]);
  });

  it('keeps a decision as an event, shows it, answers it again alike, and takes it back', async () => {
    const [late] = await items('orderId=late');
    const itemId = late?.itemId ?? '';
    const first = await decide(itemId, { decision: 'explain', note: 'paid by hand' });
    expect(first.status).to.equal(200);
    // Who decided sees it at once, without its position.
    const shown = await (await ask('/v1/reconciliation/items?orderId=late')).json();
    expect(right(Items.decode(shown)).data.map(({ state }) => state)).to.deep.equal(['explained']);
    const decided: unknown = await first.json();
    position = right(Decided.decode(decided)).position;
    expect(await (await decide(itemId, { decision: 'explain', note: 'paid by hand' })).json()).to.deep.equal(decided);
    const [explained] = await items('orderId=late');
    expect(explained).to.deep.include({ itemId, state: 'explained' });
    expect(explained?.decision).to.deep.include({ decision: 'explain', note: 'paid by hand', by: 'test', with: [] });
    const back = await ask(`/v1/reconciliation/items/${itemId}/decision`, { method: 'DELETE' });
    position = right(Decided.decode(await back.json())).position;
    expect((await items('orderId=late')).map(({ state }) => state)).to.deep.equal(['unmatched-order']);
    expect((await ledger.eventsOf(`match-${itemId}`)).map(({ type }) => type)).to.deep.equal([
      'MatchDecided',
      'MatchDecided',
    ]);
  });

  it('joins what is accepted, and parts it again by the id of either', async () => {
    const [late] = await items('orderId=late');
    const accepted = await decide(late?.itemId ?? '', { decision: 'accept', with: ['fresh'], note: 'one payment' });
    position = right(Decided.decode(await accepted.json())).position;
    const [joined] = await items('orderId=fresh');
    expect(joined?.state).to.equal('matched');
    expect(joined?.orders.map(({ orderId }) => orderId)).to.deep.equal(['fresh', 'late']);
    const back = await ask(`/v1/reconciliation/items/${joined?.itemId ?? ''}/decision`, { method: 'DELETE' });
    position = right(Decided.decode(await back.json())).position;
    expect((await items('')).length).to.equal(2);
  });

  it('gives the same items as a file, a row for each', async () => {
    const lines = (await (await ask('/v1/exports/reconciliation?state=unmatched-order')).text()).trim().split('\r\n');
    expect(lines).to.have.length(2);
    expect(lines[0]).to.match(/^"itemId","state","rule","flow","currency","fiat","day","ageDays","breakCodes"/);
    expect(lines[1]).to.include(
      '"unmatched-order","","offramp","INR","100","2026-04-01","29","missing-at-bank","late"',
    );
    const made: unknown = await (await ask('/v1/exports/reconciliation/manifest')).json();
    const sums = [{ currency: 'INR', rows: 2, fiat: '200', commission: '0', tds: '0' }];
    expect(made).to.deep.include({ export: 'reconciliation', rows: 2, sums });
    const workbook = await ask('/v1/exports/reconciliation?format=xlsx');
    expect(
      Buffer.from(await workbook.arrayBuffer())
        .subarray(0, 2)
        .toString(),
    ).to.equal('PK');
  });

  it('holds a decision no longer than what was decided says what it said', async () => {
    const [late] = await items('orderId=late');
    const decided = await decide(late?.itemId ?? '', { decision: 'explain', note: 'ask asha@example.com' });
    position = right(Decided.decode(await decided.json())).position;
    expect((await items('orderId=late')).map(({ state }) => state)).to.deep.equal(['explained']);
    const asReader = await ask('/v1/reconciliation/items?orderId=late', {}, MASKED_KEY);
    expect(await asReader.text()).to.include('a***@example.com');
    await paidOut('late', 'U3', '2026-04-02T10:00:00Z');
    const [paidTwice] = await items('orderId=late');
    expect([paidTwice?.state, paidTwice?.decision]).to.deep.equal(['unmatched-order', null]);
    const again = await decide(late?.itemId ?? '', { decision: 'explain', note: 'ask asha@example.com' });
    position = right(Decided.decode(await again.json())).position;
    expect((await items('orderId=late')).map(({ state }) => state)).to.deep.equal(['explained']);
    const back = await ask(`/v1/reconciliation/items/${late?.itemId ?? ''}/decision`, { method: 'DELETE' });
    position = right(Decided.decode(await back.json())).position;
  });

  it('tells who sends more than may be, and listens only when all is sent, that it is too much', async () => {
    const size = 20 * 1_048_576;
    for (const path of ['/v1/statements', '/v1/statements/profiles/large', '/v1/transfers']) {
      const head = ['Host: 127.0.0.1', `Authorization: Bearer ${API_KEY}`, `Content-Length: ${size}`].join('\r\n');
      const { hostname, port } = new URL(ledger.url);
      const socket = connect(Number(port), hostname);
      socket.write(`POST ${path} HTTP/1.1\r\n${head}\r\n\r\n`);
      await new Promise<void>((resolve, reject) => {
        socket.once('error', reject);
        socket.write(Buffer.alloc(size), () => resolve());
      });
      const answer: readonly unknown[] = await once(socket, 'data');
      socket.destroy();
      expect(String(answer[0]), path).to.match(/^HTTP\/1\.1 413 /);
    }
  });

  it('refuses what is no decision, names nothing that is there, or is of no item', async () => {
    const [late] = await items('orderId=late');
    const itemId = late?.itemId ?? '';
    expect((await decide(itemId, { decision: 'perhaps' })).status).to.equal(400);
    expect((await decide(itemId, { decision: 'accept', with: ['nobody'] })).status).to.equal(400);
    expect((await decide('0'.repeat(40), { decision: 'explain' })).status).to.equal(404);
    const nothing = await ask(`/v1/reconciliation/items/${itemId.replace(/./, 'f')}/decision`, { method: 'DELETE' });
    expect(nothing.status).to.equal(404);
    expect((await ask('/v1/reconciliation', {}, READER_KEY)).status).to.equal(403);
    for (const path of ['/v1/reconciliation', '/v1/reconciliation/items'])
      expect((await ask(`${path}?currency=a@example.com`, {}, MASKED_KEY)).status, path).to.equal(403);
    expect((await ask('/v1/reconciliation/items?state=lost')).status).to.equal(400);
  });
});
