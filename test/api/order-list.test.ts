import { expect } from 'chai';
import * as t from 'io-ts';
import { instantOf } from '../../src/domain/instant.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import type { Recorded } from '../../src/ledger/recorded.ts';
import { allOf, expectRefused, expectScopes, listOf, refusalOf, textOf } from '../support/asking.ts';
import { bodyOf, newOrderId, offRamp, onRamp } from '../support/payloads.ts';
import { deliverUnaware } from '../support/quarantine-scene.ts';
import { NOW } from '../support/route-dependencies.ts';
import { serveApi, type ServedApi } from '../support/serve-api.ts';

const LIST = '/v1/orders';
const SHOWN = 'orders:read+pii:read';

/** Orders that differ in everything that a list can be narrowed to. The business day begins at 18:30 UTC. */
const KNOWN: Readonly<Record<string, JsonObject>> = {
  pending: onRamp({ orderId: 'pending', createdAt: '2023-03-01T06:31:08.000Z', currency: 'inr', chainId: 80001 }),
  overdue: onRamp({ orderId: 'overdue', createdAt: '2023-02-28T18:29:59.999Z', currency: 'INR', chainId: 1 }),
  completed: onRamp({
    orderId: 'completed',
    status: 'completed',
    createdAt: '2023-02-28T18:30:00.000Z',
    updated_at: '2023-03-04T18:30:00.000Z',
    currency: 'USD',
    chainId: 137,
    buyTokenSymbol: 'USDT',
    buyTokenAddress: '0xDAC17F958D2ee523a2206206994597C13D831ec7',
    txnHash: '0xHash',
    receiverWalletAddress: '0xWalletOn',
    customer: { id: 'customer-on', email: 'olga@example.com', phone: {}, created_at: '2022-11-28T12:45:17.000Z' },
  }),
  paid: offRamp({
    orderId: 'paid',
    status: 'PayoutSuccess',
    utr: 'Utr1',
    created_at: '2023-02-27T00:00:00.000Z',
    updated_at: '2023-03-04T18:29:59.999Z',
    currency: 'USD',
    transactionId: 'TX-1',
    senderWalletAddress: '0xWalletOff',
    customer: {
      id: 'customer-off',
      email: 'vikram@example.com',
      phone: { countrycode: '+91', number: '70123 45678' },
      created_at: '2022-11-28T12:45:17.000Z',
    },
    metaData: { reference: 'INV-2023-042', payee: { deep: 'INV-7' }, holderName: 'Vikram S', accountNo: '0001112223' },
  }),
  deemed: offRamp({
    orderId: 'deemed',
    status: 'fiatDeemed',
    created_at: '2023-02-26T00:00:00.000Z',
    updated_at: '2023-02-28T06:59:59.999Z',
  }),
  sample: offRamp({ orderId: 'sample', status: 'completed', created_at: '2023-02-26T00:00:00.000Z' }),
};

describe('the list of orders', () => {
  let api: ServedApi;

  beforeEach(async () => {
    api = await serveApi();
  });
  afterEach(() => api.close());

  const give = (payload: JsonObject): Promise<Recorded> => deliverUnaware(api.store, bodyOf(payload));

  const giveKnown = async (): Promise<void> => {
    for (const payload of Object.values(KNOWN)) await give(payload);
  };

  const ids = async (query: string, scopes = SHOWN): Promise<readonly unknown[]> =>
    (await listOf(api, `${LIST}?${query}`, scopes)).data.map(({ orderId }) => orderId);

  it('has the orders themselves, newest created first, then by the id whose bytes are greater', async () => {
    await giveKnown();
    const { data, next } = await listOf(api, LIST, SHOWN);
    expect(next).to.equal(null);
    expect(data.map(({ orderId }) => orderId)).to.deep.equal([
      'pending',
      'completed',
      'overdue',
      'paid',
      'sample',
      'deemed',
    ]);
    for (const scopes of [SHOWN, 'orders:read']) {
      const each = await Promise.all(
        ['pending', 'completed', 'overdue', 'paid', 'sample', 'deemed'].map((id) =>
          textOf(api, `${LIST}/${id}`, scopes),
        ),
      );
      expect(await textOf(api, LIST, scopes)).to.equal(`{"data":[${each.join(',')}],"next":null}`);
    }
    expect(await textOf(api, LIST, 'orders:read'))
      .not.to.include('olga')
      .and.not.to.include('Vikram');
  });

  it('is narrowed by each filter, and by several', async () => {
    await giveKnown();
    const cases: readonly (readonly [string, readonly string[]])[] = [
      ['flow=onramp', ['pending', 'completed', 'overdue']],
      ['flow=offramp', ['paid', 'sample', 'deemed']],
      ['status=fiatPending', ['pending', 'overdue']],
      ['status=completed', ['completed', 'sample']],
      ['status=COMPLETED', ['completed', 'sample']],
      ['status=__proto__', []],
      ['currency=usd', ['completed', 'paid']],
      ['currency=INR', ['pending', 'overdue', 'sample', 'deemed']],
      ['token=USDT', ['completed', 'paid', 'sample', 'deemed']],
      ['token=uSdt', ['completed', 'paid', 'sample', 'deemed']],
      ['token=0xdac17f958d2ee523a2206206994597c13d831EC7', ['completed', 'paid', 'sample', 'deemed']],
      ['chainId=1', ['overdue']],
      ['chainId=1.0', ['overdue']],
      ['chainId=137', ['completed', 'paid', 'sample', 'deemed']],
      ['chainId=10', []],
      ['phase=settled', ['completed', 'paid']],
      ['phase=open', ['pending', 'overdue', 'sample']],
      ['from=2023-03-01', ['pending', 'completed']],
      ['to=2023-02-28', ['overdue', 'paid', 'sample', 'deemed']],
      ['from=2023-02-28&to=2023-02-28', ['overdue']],
      ['basis=settled', ['completed', 'paid']],
      ['basis=settled&from=2023-03-05', ['completed']],
      ['basis=settled&to=2023-03-04', ['paid']],
      ['anomaly=any', ['overdue', 'sample', 'deemed']],
      ['anomaly=lasting', ['sample']],
      ['anomaly=clock', ['overdue', 'deemed']],
      ['anomaly=overdue', ['overdue']],
      ['anomaly=deemed-too-long', ['deemed']],
      ['anomaly=sample-completed', ['sample']],
      ['anomaly=second-payout', []],
      ['flow=onramp&status=completed&currency=USD&token=USDT&chainId=137&phase=settled&q=completed', ['completed']],
      ['flow=offramp&q=completed', []],
    ];
    for (const [query, expected] of cases) expect(await ids(query), query).to.deep.equal(expected);
  });

  it('shows anomalies of the clock as of now', async () => {
    await give(onRamp({ orderId: 'due', createdAt: instantOf(Date.parse(NOW) - 3 * 3_600_000) }));
    expect(await ids('anomaly=overdue')).to.deep.equal([]);
    await give(onRamp({ orderId: 'past', createdAt: instantOf(Date.parse(NOW) - 3 * 3_600_000 - 1) }));
    expect(await ids('anomaly=overdue')).to.deep.equal(['past']);
    expect(await textOf(api, `${LIST}?anomaly=overdue`, SHOWN)).to.include('"overdue":true');
  });

  it('says with count=true what all its pages come to', async () => {
    await giveKnown();
    const total = async (query: string): Promise<unknown> => {
      const page: unknown = JSON.parse(await textOf(api, `${LIST}?count=true&${query}`, SHOWN));
      return t.type({ total: t.unknown }).is(page) ? page.total : null;
    };
    const sum = (currency: string, fiat: string) => ({ currency, fiat });
    expect(await total('limit=1')).to.deep.equal({
      orders: 6,
      atLeast: false,
      byCurrency: [sum('INR', '10247'), sum('USD', '5123.5')],
    });
    expect(await total('anomaly=overdue')).to.deep.equal({
      orders: 1,
      atLeast: false,
      byCurrency: [sum('INR', '100')],
    });
    expect(await total('q=nothing')).to.deep.equal({ orders: 0, atLeast: false, byCurrency: [] });
    expect(await textOf(api, `${LIST}?count=false`, SHOWN)).not.to.include('"total"');
  });

  describe('search', () => {
    it('finds by each promised key, whole, in any letter case where case says nothing', async () => {
      await giveKnown();
      const cases: readonly (readonly [string, string, 'any case' | 'exactly'])[] = [
        ['completed', 'completed', 'exactly'],
        ['Utr1', 'paid', 'exactly'],
        ['0xHash', 'completed', 'any case'],
        ['TX-1', 'paid', 'exactly'],
        ['0xWalletOn', 'completed', 'any case'],
        ['0xWalletOff', 'paid', 'any case'],
        ['customer-on', 'completed', 'exactly'],
        ['olga@example.com', 'completed', 'any case'],
        ['INV-2023-042', 'paid', 'exactly'],
      ];
      for (const [q, id, letters] of cases) {
        expect(await ids(`q=${q}`), q).to.deep.equal([id]);
        for (const other of [q.slice(1), q.slice(0, -1), `${q.slice(0, -1)}%25`, `${q.slice(0, -1)}_`]) {
          expect(await ids(`q=${other}`), other).to.deep.equal([]);
        }
        const otherCase = q === q.toLowerCase() ? q.toUpperCase() : q.toLowerCase();
        expect(await ids(`q=${otherCase}`), otherCase).to.deep.equal(letters === 'any case' ? [id] : []);
      }
      await give(
        offRamp({ orderId: 'paid', status: 'fiatFailed', utr: 'Utr0', created_at: '2023-02-27T00:00:00.000Z' }),
      );
      for (const utr of ['Utr0', 'Utr1']) expect(await ids(`q=${utr}`)).to.deep.equal(['paid']);
    });

    it('finds by a phone number as people write it, with or without the country code', async () => {
      await giveKnown();
      for (const q of ['7012345678', '917012345678', '%2B917012345678', '%2B91 70123-45678', '70123 45678']) {
        expect(await ids(`q=${q}`), q).to.deep.equal(['paid']);
      }
      for (const q of ['07012345678', '17012345678', '012345678', '70123456789']) {
        expect(await ids(`q=${q}`), q).to.deep.equal([]);
      }
    });

    it('by personal data finds nothing for those who may not see it', async () => {
      await giveKnown();
      for (const q of ['7012345678', '917012345678', 'Vikram S', '0001112223']) {
        expect(await ids(`q=${q}`, 'orders:read'), q).to.deep.equal([]);
      }
      for (const q of ['Vikram S', '0001112223']) expect(await ids(`q=${q}`), q).to.deep.equal(['paid']);
      expect(await ids('q=INV-2023-042', 'orders:read')).to.deep.equal(['paid']);
      const payer = '{"name":"Vikram S"}';
      await give(onRamp({ orderId: 'nested', metaData: { payer } }));
      expect(await ids(`q=${encodeURIComponent(payer)}`)).to.deep.equal(['nested']);
      expect(await ids(`q=${encodeURIComponent(payer)}`, 'orders:read')).to.deep.equal([]);
      expect((await refusalOf(api, `${LIST}?q=%2B917012345678`, 'orders:read')).is).to.equal('403 forbidden');
    });

    it('by a text that is shown with an address in it masked finds nothing for those who may not see it', async () => {
      const customer = (id: string) => ({ id, email: 'olga@example.com' });
      const found: readonly (readonly [string, JsonObject])[] = [
        ['ref asha@example.com', onRamp({ orderId: 'around', customer: customer('ref asha@example.com') })],
        ['asha%40example.com', onRamp({ orderId: 'escaped', customer: customer('asha%40example.com') })],
        ['asha\uFF20example.com', onRamp({ orderId: 'wide', customer: customer('asha\uFF20example.com') })],
        ['for asha@example.com', offRamp({ orderId: 'transaction', transactionId: 'for asha@example.com' })],
      ];
      for (const [text, order] of found) {
        await give(order);
        const q = `q=${encodeURIComponent(text)}`;
        expect(await ids(q), text).to.deep.equal([order['orderId']]);
        expect(await ids(q, 'orders:read'), text).to.deep.equal([]);
      }
    });

    it('by e-mail address is for those who may see it, before anything else is said', async () => {
      await giveKnown();
      for (const q of ['olga@example.com', 'nobody@example.com']) {
        const { is, headers } = await refusalOf(api, `${LIST}?limit=0&q=${q}`, 'orders:read');
        expect(is).to.equal('403 forbidden');
        expect(headers.get('www-authenticate')).to.include('scope="pii:read"');
      }
      await give(onRamp({ orderId: 'named', buyTokenSymbol: 'olga@example.com' }));
      for (const filter of ['status', 'currency', 'token']) {
        for (const address of ['olga@example.com', 'nobody@example.com']) {
          const asked = `${LIST}?${filter}=${address}`;
          expect((await refusalOf(api, asked, 'orders:read')).is, asked).to.equal('403 forbidden');
        }
      }
      expect(await ids('token=olga@example.com')).to.deep.equal(['named']);
      await give(onRamp({ orderId: 'odd', customer: { id: 'c', email: 'asha@bank' } }));
      expect(await ids('q=asha@bank')).to.deep.equal(['odd']);
      expect(await ids('q=asha@bank', 'orders:read')).to.deep.equal([]);
      expect(await ids('q=customer-on', 'orders:read')).to.deep.equal(['completed']);
    });
  });

  describe('paging', () => {
    const giveMany = async (count: number): Promise<void> => {
      for (let i = 0; i < count; i += 1) {
        const createdAt = `2023-01-0${1 + (i % 3)}T00:00:00.000Z`;
        await give(onRamp({ orderId: newOrderId('🚀-ord'), status: 'orderReceived', createdAt }));
      }
    };

    it('has 50 rows where nothing is said, and no next page behind the last row', async () => {
      await giveMany(60);
      const lengths: unknown[] = [];
      for (const query of ['', '?limit=1', '?limit=59', '?limit=60', '?limit=500']) {
        const { data, next } = await listOf(api, `${LIST}${query}`, SHOWN);
        lengths.push([data.length, next === null]);
      }
      expect(lengths).to.deep.equal([
        [50, false],
        [1, false],
        [59, false],
        [60, true],
        [60, true],
      ]);
    });

    it('gives each order once, whatever arrives meanwhile', async () => {
      await giveMany(20);
      const before = await ids('limit=500');
      for (const limit of [1, 7, 19, 20]) {
        const rows = await allOf(api, `${LIST}?limit=${limit}`, SHOWN, async () => {
          await give(onRamp({ createdAt: '2023-02-01T00:00:00.000Z' }));
          await give(
            onRamp({ orderId: String(before[0]), status: 'completed', createdAt: '2023-01-03T00:00:00.000Z' }),
          );
        });
        const seen = rows.map(({ orderId }) => orderId).filter((orderId) => before.includes(orderId));
        expect(seen).to.deep.equal(before);
      }
    });

    it('goes on with another limit, and with nothing else that differs', async () => {
      await giveMany(5);
      const { next } = await listOf(api, `${LIST}?currency=INR&limit=2`, SHOWN);
      const cursor = encodeURIComponent(next ?? '');
      expect(await ids(`currency=inr&limit=3&cursor=${cursor}`)).to.have.length(3);
      expect(await ids(`limit=3&basis=created&currency=inr&cursor=${cursor}`)).to.have.length(3);
      for (const query of ['', '&currency=USD', '&currency=INR&flow=onramp', '&currency=INR&basis=settled']) {
        const { is, detail } = await refusalOf(api, `${LIST}?limit=2${query}&cursor=${cursor}`, SHOWN);
        expect([is, detail], query).to.deep.equal([
          '400 invalid-parameter',
          'cursor: is none that this list has given',
        ]);
      }
    });

    it('tells nothing but a place', async () => {
      await giveKnown();
      const { next } = await listOf(api, `${LIST}?limit=2`, SHOWN);
      expect(Buffer.from(next ?? '', 'base64url').toString()).to.match(
        /^\[1,"[0-9a-f]{16}",\["2023-02-28T18:30:00\.000Z","completed"\]\]$/,
      );
    });
  });

  describe('what is refused', () => {
    it('is so for want of a key or a scope before anything else', async () => {
      await expectScopes(api, LIST, ['admin', 'pii:read', 'audit:read', 'reports:read', 'quarantine:write']);
    });

    it('is a parameter that is unknown, repeated or ill-formed; the detail names it', async () => {
      await give(onRamp());
      await expectRefused(api, SHOWN, [
        [LIST, 'limit', ['0', '501', '-1', 'abc', '1.5', '', '1e2', '99999999999999999999', '05', '%2B5']],
        [LIST, 'flow', ['sideways', 'ONRAMP', '']],
        [LIST, 'status', ['']],
        [LIST, 'currency', ['']],
        [LIST, 'token', ['']],
        [LIST, 'q', ['']],
        [LIST, 'chainId', ['abc', '1.5', '', '0x1', 'NaN', '1e999999999']],
        [LIST, 'phase', ['completed', 'constructor']],
        [LIST, 'basis', ['bogus', '']],
        [LIST, 'from', ['2023-13-01', '2023-02-30', 'yesterday', '01/02/2023', '2023-2-1', '2023-02-01T00:00:00Z', '']],
        [LIST, 'to', ['2023-00-10', 'tomorrow']],
        [LIST, 'anomaly', ['bogus', 'ANY', 'toString']],
        [LIST, 'cursor', ['garbage', '%00', '', 'W10', 'bnVsbA', 'e30']],
        [LIST, 'position', ['not-a-position', '', '1', '-1']],
        [LIST, 'colour', ['red']],
        [LIST, 'count', ['', 'yes', '1']],
        [LIST, 'Limit', ['5']],
      ]);
      const { is, detail } = await refusalOf(api, `${LIST}?limit=5&limit=5`, SHOWN);
      expect([is, detail]).to.deep.equal(['400 invalid-parameter', 'limit: came more than once']);
    });

    it('is no stretch that ends before it begins: no order is in it', async () => {
      await giveKnown();
      expect(await listOf(api, `${LIST}?to=2023-02-28&from=2023-03-01`, SHOWN)).to.deep.include({
        data: [],
        next: null,
      });
    });

    it('is every change of a cursor', async () => {
      await giveKnown();
      const { next } = await listOf(api, `${LIST}?limit=2`, SHOWN);
      const cursor = next ?? '';
      expect(cursor).not.to.equal('');
      for (let at = 0; at < cursor.length; at += 1) {
        const altered = `${cursor.slice(0, at)}${cursor[at] === 'A' ? 'B' : 'A'}${cursor.slice(at + 1)}`;
        expect((await refusalOf(api, `${LIST}?cursor=${altered}`, SHOWN)).is, altered).to.equal(
          '400 invalid-parameter',
        );
      }
      for (const other of [`${cursor}A`, `${cursor}=`, `${cursor}%0A`, cursor.slice(0, -1)]) {
        expect((await refusalOf(api, `${LIST}?cursor=${other}`, SHOWN)).is, other).to.equal('400 invalid-parameter');
      }
    });
  });

  describe('position', () => {
    it('is waited for, five seconds at the longest', async () => {
      const { event } = await give(onRamp({ orderId: 'there' }));
      expect(await ids(`q=there&position=${event.position}`)).to.deep.equal(['there']);
      expect(api.readModels.waits).to.deep.equal([5_000]);
      expect(await ids('q=there')).to.deep.equal(['there']);
      expect(api.readModels.waits).to.have.length(1);
    });

    it('of long ago is waited for, and then a little for what was acknowledged since, which may be missing', async () => {
      const { event } = await give(onRamp({ orderId: 'there' }));
      await give(onRamp({ orderId: 'later' }));
      expect(await ids(`q=later&position=${event.position}`)).to.deep.equal(['later']);
      expect(api.readModels.waits).to.deep.equal([5_000, 300]);
      api.readModels.hold();
      await give(onRamp({ orderId: 'latest' }));
      expect(await ids(`q=latest&position=${event.position}`)).to.deep.equal([]);
      expect(api.readModels.waits).to.deep.equal([5_000, 300, 5_000, 300]);
    });

    it('that is not reached is 503 behind', async () => {
      await give(onRamp({ orderId: 'before' }));
      api.readModels.hold();
      const { event } = await give(onRamp({ orderId: 'there' }));
      expect(await ids('')).to.deep.equal(['before']);
      const { is, headers } = await refusalOf(api, `${LIST}?position=${event.position}`, SHOWN);
      expect(is).to.equal('503 behind');
      expect(Number(headers.get('retry-after'))).to.be.greaterThan(0);
      await refusalOf(api, `${LIST}?position=${event.position}&limit=0`, SHOWN);
      expect(api.readModels.waits).to.have.length(1);
    });
  });

  it('answers 503 while the read models can not be asked, and the log says why', async () => {
    await giveKnown();
    api.readModels.takeAway('disk on fire');
    for (const path of [LIST, `${LIST}?position=0`]) {
      const { is, detail, headers } = await refusalOf(api, path, SHOWN);
      expect(is).to.equal('503 behind');
      expect(detail).not.to.include('fire');
      expect(Number(headers.get('retry-after'))).to.be.greaterThan(0);
    }
    expect(JSON.stringify(api.logged)).to.include('disk on fire');
  });

  it('answers from the read models while the event store is away', async () => {
    await giveKnown();
    api.store.takeAway('gone');
    expect(await ids('flow=onramp')).to.have.length(3);
  });
});
