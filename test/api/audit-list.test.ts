import { expect } from 'chai';
import { branded } from '../../src/domain/brand.ts';
import type { RequestId, StreamName } from '../../src/domain/ids.ts';
import { instantOf, type Instant } from '../../src/domain/instant.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { readContent } from '../../src/domain/read-content.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import { RecentOrders } from '../../src/ledger/recent-orders.ts';
import { recordDelivery } from '../../src/ledger/record-delivery.ts';
import type { Recorded } from '../../src/ledger/recorded.ts';
import { allOf, expectRefused, expectScopes, listOf, refusalOf, textOf } from '../support/asking.ts';
import { bodyOf, newOrderId, offRamp, onRamp, verifiedDelivery } from '../support/payloads.ts';
import { putAway, release } from '../support/quarantine-scene.ts';
import { right } from '../support/right.ts';
import { serveApi, type ServedApi } from '../support/serve-api.ts';

const TRAIL = '/v1/audit';
const SCOPE = 'audit:read';

const at = (text: string): Instant => instantOf(Date.parse(text));

describe('the audit trail', () => {
  let api: ServedApi;
  let requests = 0;

  beforeEach(async () => {
    api = await serveApi();
    requests = 0;
  });
  afterEach(() => api.close());

  /** Delivers a body; `request-00000001` is the first. */
  const give = async (
    payload: JsonObject | string,
    receivedAt = at('2023-03-01T00:00:00Z'),
    secretId = 'primary',
  ): Promise<Recorded> => {
    const body = bodyOf(payload);
    requests += 1;
    const requestId = branded<RequestId>(`request-${String(requests).padStart(8, '0')}`);
    const record = recordDelivery({ store: api.store, recent: new RecentOrders(0), quarantined: new Set() });
    const verified = verifiedDelivery(body, { receivedAt, requestId, secretId: branded(secretId) });
    return right(await record({ verified, content: readContent(body) })());
  };

  const positions = async (query: string): Promise<readonly unknown[]> =>
    (await listOf(api, `${TRAIL}?${query}`, SCOPE)).data.map(({ position }) => position);

  it('has the entries of all orders and the quarantine, in the order of positions, those of one order as it gives them', async () => {
    await give(onRamp({ orderId: 'a' }));
    await give('no order');
    await give(offRamp({ orderId: 'b', status: 'PayoutSuccess', utr: 'U1' }));
    await give(onRamp({ orderId: 'a', fiat: 1 }));
    const { data, next } = await listOf(api, `${TRAIL}?verify=true`, SCOPE);
    expect(next).to.equal(null);
    expect(
      data.map(({ position, type, orderId, status, utr, verified }) => [
        position,
        type,
        orderId,
        status,
        utr,
        verified,
      ]),
    ).to.deep.equal([
      ['0', 'OnRampFiatPending', 'a', 'fiatPending', null, 'yes'],
      ['1', 'DeliveryQuarantined', null, null, null, 'yes'],
      ['2', 'OffRampPayoutSuccess', 'b', 'PayoutSuccess', 'U1', 'yes'],
      ['3', 'ConflictingDelivery', 'a', 'fiatPending', null, 'yes'],
    ]);
    const ofOrder = (await listOf(api, '/v1/orders/a/audit', SCOPE)).data;
    expect(ofOrder).to.deep.equal([data[0], data[3]]);
  });

  it('tells what was verified only where it was', async () => {
    await give(onRamp({ orderId: 'a' }));
    await give(onRamp({ orderId: 'a', status: 'orderReceived' }), undefined, 'retired');
    await give(onRamp({ orderId: 'a', status: 'completed' }));
    api.store.tamper(branded<StreamName>('order-a'), 0, { data: 'gone', metadata: 'gone' });
    for (const query of ['', '&q=a']) {
      const verdicts = (await listOf(api, `${TRAIL}?verify=true${query}`, SCOPE)).data.map(({ verified }) => verified);
      expect(verdicts).to.deep.equal(['no', 'unknown-secret', 'yes']);
      for (const verify of ['', '&verify=false']) {
        expect(await textOf(api, `${TRAIL}?limit=9${query}${verify}`, SCOPE)).not.to.include('verified');
      }
    }
    const [damaged] = (await listOf(api, TRAIL, SCOPE)).data;
    expect(damaged).to.deep.include({ orderId: 'a', status: null, receivedAt: null, bodySha256: null });
  });

  it('masks an e-mail address that came as a status', async () => {
    await give(onRamp({ orderId: 'a', status: 'held by asha@example.com' }));
    for (const path of [TRAIL, '/v1/orders/a/audit']) {
      expect(await textOf(api, path, SCOPE)).to.include('"held by a***@example.com"');
      expect(await textOf(api, path, `${SCOPE}+pii:read`)).to.include('"held by asha@example.com"');
    }
  });

  it('is narrowed by type and receipt, a day of the business zone standing for all of it', async () => {
    const moments = [
      '2023-02-28T18:29:59.999Z',
      '2023-02-28T18:30:00.000Z',
      '2023-03-01T18:29:59.999Z',
      '2023-03-01T18:30:00.000Z',
    ];
    for (const moment of moments) await give(onRamp(), at(moment));
    await give(offRamp(), at('2023-02-28T18:30:00.000Z'));
    const cases: readonly (readonly [string, string])[] = [
      ['limit=500', '01234'],
      ['type=OnRampFiatPending', '0123'],
      ['type=OffRampPending', '4'],
      ['type=QuarantineReleased', ''],
      ['from=2023-03-01', '1234'],
      ['to=2023-03-01', '0124'],
      ['from=2023-03-01&to=2023-03-01', '124'],
      ['from=2023-03-01&to=2023-03-01&type=OffRampPending', '4'],
      ['from=2023-02-28T18:30:00Z', '1234'],
      ['from=2023-02-28T18:30:00.001Z', '23'],
      ['to=2023-03-01T18:29:59.999Z', '0124'],
      ['to=2023-03-01T18:29:59.998Z', '014'],
      ['from=2023-03-01T00:00:00%2B05:30', '1234'],
      ['from=0000-01-01&to=9999-12-31', '01234'],
    ];
    for (const [query, expected] of cases) expect((await positions(query)).join(''), query).to.equal(expected);
  });

  describe('search', () => {
    it('finds by order id, event id, utr, body digest and request id, exactly', async () => {
      const a = await give(offRamp({ orderId: 'a', status: 'PayoutSuccess', utr: 'U1' }));
      await give(offRamp({ orderId: 'a', status: 'pending' }));
      await give(offRamp({ orderId: 'b', status: 'fiatFailed', utr: 'U1' }));
      const junk = await give('no order');
      await give(JSON.stringify({ eventType: 'onramp', orderId: 'a' }));
      await give(onRamp({ orderId: 'b' }));
      const cases: readonly (readonly [string, string])[] = [
        ['a', '014'],
        ['b', '25'],
        ['U1', '02'],
        [a.event.eventId, '0'],
        [sha256(bodyOf('no order')), '3'],
        [junk.event.eventId, '3'],
        ['request-00000003', '2'],
        ['u1', ''],
        ['U', ''],
        ['request-0000000', ''],
        ['asha.rao@example.com', ''],
      ];
      for (const [q, expected] of cases) expect((await positions(`q=${q}`)).join(''), q).to.equal(expected);
    });

    it('obeys the other filters, damaged events included', async () => {
      await give(onRamp({ orderId: 'a' }), at('2023-03-01T00:00:00Z'));
      await give(onRamp({ orderId: 'a', status: 'completed' }), at('2023-03-02T00:00:00Z'));
      await give(onRamp({ orderId: 'a', status: 'refunded' }), at('2023-03-03T00:00:00Z'));
      api.store.tamper(branded<StreamName>('order-a'), 2, { metadata: 'gone' });
      expect((await positions('q=a')).join('')).to.equal('012');
      expect((await positions('q=a&type=OnRampCompleted')).join('')).to.equal('1');
      expect((await positions('q=a&from=2023-03-02')).join('')).to.equal('1');
      expect((await positions('q=a&to=2023-03-01')).join('')).to.equal('0');
      const event = api.store.recorded()[2];
      expect((await positions(`q=${event?.id}`)).join('')).to.equal('2');
    });

    it('finds what came out of quarantine by its order and its utr, there and where it went', async () => {
      const payload = offRamp({ orderId: 'a', status: 'PayoutSuccess', utr: 'U1' });
      const { body } = await putAway(api.store, payload);
      await give(onRamp({ orderId: 'other' }));
      await release(api.store, body);
      for (const q of ['a', 'U1', sha256(body)]) {
        const types = (await listOf(api, `${TRAIL}?q=${q}`, SCOPE)).data.map(({ type }) => type);
        expect(types, q).to.deep.equal(['DeliveryQuarantined', 'OffRampPayoutSuccess', 'QuarantineReleased']);
      }
    });

    it('has each entry once, in order, however it is paged and by whatever it is found', async () => {
      const orderId = 'request-00000002';
      await give(offRamp({ orderId: 'x', utr: orderId }));
      await give(onRamp({ orderId: 'y' }));
      for (let i = 0; i < 7; i += 1) await give(onRamp({ orderId, status: `status-${i}` }));
      await give(JSON.stringify({ eventType: 'onramp', orderId }));
      await give(onRamp());
      const expected = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'];
      for (const limit of [1, 3, 9, 10, 11]) {
        const rows = await allOf(api, `${TRAIL}?q=${orderId}&limit=${limit}`, SCOPE);
        expect(rows.map(({ position }) => position)).to.deep.equal(expected);
      }
      const { data, next } = await listOf(api, `${TRAIL}?q=${orderId}&limit=10`, SCOPE);
      expect([data.length, next]).to.deep.equal([10, null]);
    });

    it('looks through the whole index where filters leave little of it', async () => {
      for (let i = 0; i < 12; i += 1) {
        requests = 0;
        await give(onRamp({ orderId: newOrderId(), status: i === 11 ? 'completed' : 'fiatPending' }));
      }
      expect(await positions('q=request-00000001&type=OnRampCompleted&limit=1')).to.deep.equal(['11']);
      const { data, next } = await listOf(api, `${TRAIL}?q=request-00000001&limit=11`, SCOPE);
      expect([data.length, next === null]).to.deep.equal([11, false]);
    });

    it('shows no event beyond what the read models include, so that none is skipped later', async () => {
      await give(onRamp({ orderId: 'a' }));
      api.readModels.hold();
      await give(onRamp({ orderId: 'a', status: 'completed' }));
      expect(await positions('q=a')).to.deep.equal(['0']);
    });

    it('finds nothing in an empty log', async () => {
      expect(await positions('q=a')).to.deep.equal([]);
    });
  });

  describe('paging', () => {
    it('gives each entry once, whatever arrives meanwhile', async () => {
      for (let i = 0; i < 20; i += 1) await give(onRamp({ status: i % 2 === 0 ? 'fiatPending' : 'completed' }));
      const before = (await listOf(api, `${TRAIL}?type=OnRampCompleted&limit=500`, SCOPE)).data;
      let arrivals = 0;
      const rows = await allOf(api, `${TRAIL}?type=OnRampCompleted&limit=3`, SCOPE, async () => {
        arrivals += 1;
        if (arrivals < 5) await give(onRamp({ status: 'completed' }));
      });
      expect(rows.slice(0, before.length)).to.deep.equal(before);
      expect(new Set(rows.map(({ position }) => position)).size).to.equal(rows.length);
      expect(rows.length).to.be.greaterThan(before.length);
    });

    it('refuses the cursor of another list, of other filters, and one beyond the head', async () => {
      for (let i = 0; i < 3; i += 1) await give('no order'.repeat(i + 1));
      const cursorIn = async (path: string, scopes = SCOPE): Promise<string> =>
        encodeURIComponent((await listOf(api, path, scopes)).next ?? '');
      const cursor = await cursorIn(`${TRAIL}?limit=1`);
      expect(await positions(`cursor=${cursor}`)).to.deep.equal(['1', '2']);
      expect(await positions(`cursor=${cursor}&verify=true&limit=1&position=2`)).to.deep.equal(['1']);
      const foreign = await cursorIn('/v1/quarantine?limit=1');
      for (const query of [`cursor=${cursor}&q=a`, `cursor=${cursor}&type=OnRampExpired`, `cursor=${foreign}`]) {
        const { is, detail } = await refusalOf(api, `${TRAIL}?${query}`, SCOPE);
        expect([is, detail]).to.deep.equal(['400 invalid-parameter', 'cursor: is none that this list has given']);
      }
      expect((await refusalOf(api, `/v1/quarantine?cursor=${cursor}`, SCOPE)).is).to.equal('400 invalid-parameter');
      api.store.clear();
      expect((await refusalOf(api, `${TRAIL}?cursor=${cursor}`, SCOPE)).detail).to.match(/^cursor: /);
    });
  });

  describe('what is refused', () => {
    it('is so for want of a key or a scope before anything else', async () => {
      await expectScopes(api, TRAIL, ['admin', 'orders:read', 'reports:read', 'pii:read', 'quarantine:write']);
    });

    it('is a parameter that is unknown, repeated or ill-formed; the detail names it', async () => {
      await give(onRamp());
      await expectRefused(api, SCOPE, [
        [TRAIL, 'from', ['notadate', '', '2023-02-30', '2023-03-01T25:00:00Z', '2023-03-01T00:00:00+05:30']],
        [TRAIL, 'to', ['notadate', '1677628800']],
        [TRAIL, 'type', ['Nothing', '', 'onRampFiatPending', '__proto__']],
        [TRAIL, 'verify', ['perhaps', '', '1', 'TRUE']],
        [TRAIL, 'q', ['']],
        [TRAIL, 'limit', ['0', '501']],
        [TRAIL, 'cursor', ['garbage', '']],
        [TRAIL, 'position', ['x', '1']],
        [TRAIL, 'colour', ['red']],
      ]);
    });
  });

  it('waits for a position; 503 while the store or the read models are away', async () => {
    const { event } = await give(onRamp({ orderId: 'a' }));
    expect(await positions(`position=${event.position}`)).to.deep.equal(['0']);
    expect(api.readModels.waits).to.deep.equal([5_000]);
    api.store.takeAway('gone');
    for (const query of ['', '?q=a']) {
      const { is, headers } = await refusalOf(api, `${TRAIL}${query}`, SCOPE);
      expect(is).to.equal('503 store-unavailable');
      expect(Number(headers.get('retry-after'))).to.be.greaterThan(0);
    }
    api.store.takeAway(null);
    api.readModels.takeAway('gone');
    for (const query of ['', '?q=a', '?position=0']) {
      expect((await refusalOf(api, `${TRAIL}${query}`, SCOPE)).is).to.equal('503 behind');
    }
  });
});
