import { expect } from 'chai';
import { branded } from '../../src/domain/brand.ts';
import type { Instant } from '../../src/domain/instant.ts';
import { deliver, exchange } from '../support/exchange.ts';
import { at } from '../support/naive-json.ts';
import { bodyOf, onRamp } from '../support/payloads.ts';
import { API_KEY, startLedger, type RunningLedger } from '../support/running-ledger.ts';
import { added, adjustedSums, items, ofOrders, shownSums, sumsOfOrders, totalSums } from './month-sums.ts';

const MARCH = '2026-03-05T06:31:08.000Z';
const ORDERS = 120;
const QUESTIONS = 12;
const ROUNDS = 4;
/** What orders go through after the close. */
const LATER = ['InProgress', 'fiatReceived', 'transferred', 'completed', 'refunding', 'refunded'];

describe('answers about months while deliveries arrive', () => {
  let ledger: RunningLedger;
  before(async () => {
    ledger = await startLedger({ now: () => branded<Instant>('2026-04-02T10:00:00.000Z') });
  });
  after(() => ledger.close());

  const ask = async (path: string, body?: object): Promise<unknown> => {
    const { status, text } = await exchange(ledger.url, {
      path,
      headers: { authorization: `Bearer ${API_KEY}` },
      ...(body === undefined ? {} : { method: 'POST', body: Buffer.from(JSON.stringify(body)) }),
    });
    expect(status, `${path}: ${text}`).to.equal(200);
    return JSON.parse(text);
  };
  const give = async (name: string, status: string): Promise<string> => {
    const order = onRamp({ orderId: `o-${name}`, createdAt: MARCH, status, fiat: 100.1, updated_at: MARCH });
    return String(at(JSON.parse((await deliver(ledger.url, bodyOf(order))).text), 'position'));
  };
  /** Status after status of order after order, as long as it is wanted. */
  const giveWhile = async (isWanted: () => boolean, prefix = ''): Promise<void> => {
    for (const status of LATER) {
      for (let n = 0; n < ORDERS && isWanted(); n += 1) await give(`${prefix}${n}`, status);
    }
  };

  it('have the orders of an adjustment come to its measures, and lists of a moment to its report', async () => {
    for (let n = 0; n < ORDERS; n += 2) await give(String(n), 'orderReceived');
    const position = await give(String(ORDERS), 'orderReceived');
    await ask(`/v1/reports/onramp?position=${position}`);
    await ask('/v1/periods/2026-03/close', { note: 'n' });
    const then = JSON.stringify(at(await ask(`/v1/reports/onramp?asOf=${position}`), 'totals'));

    let [asked, adjusted] = [0, 0];
    const given = giveWhile(() => asked < QUESTIONS);
    for (; asked < QUESTIONS; asked += 1) {
      const found = await ask('/v1/periods/2026-03/adjustments');
      for (const basis of ['created', 'settled']) {
        const measures = ofOrders(adjustedSums(found, 'onramp', basis));
        expect(shownSums(sumsOfOrders(found, 'onramp', basis))).to.deep.equal(shownSums(measures));
      }
      if (items(at(found, 'data')).length > 0) adjusted += 1;
      const report = await ask(`/v1/reports/onramp?asOf=${position}`);
      expect(JSON.stringify(at(report, 'totals'))).to.equal(then);
      const list = await ask(`/v1/orders?asOf=${position}&count=true&limit=500`);
      const orders = items(at(list, 'data'));
      expect(orders).to.have.lengthOf(ORDERS / 2 + 1);
      expect(new Set(orders.map((order) => at(order, 'phase')))).to.deep.equal(new Set(['open']));
      expect(at(list, 'total', 'orders')).to.equal(orders.length);
    }
    await given;
    expect(adjusted, 'adjustments meanwhile').to.be.greaterThan(0);
  }).timeout(30_000);

  it('lose no event that arrives while a month is closed: it is in the close, or in an adjustment of it', async () => {
    await ask('/v1/periods/2026-03/reopen', { note: 'again' });
    for (let round = 0; round < ROUNDS; round += 1) {
      let isClosed = false;
      const given = giveWhile(() => !isClosed, `${round}-`);
      const period = await ask('/v1/periods/2026-03/close', { note: 'n', despite: ['read-models'] });
      isClosed = true;
      await given;
      const last = await give(`last-${round}`, 'completed');
      await ask(`/v1/reports/onramp?position=${last}`);
      expect(at(period, 'state')).to.equal('closed');
      const found = await ask('/v1/periods/2026-03/adjustments');
      for (const basis of ['created', 'settled']) {
        const closed = totalSums(await ask(`/v1/reports/onramp?period=2026-03&basis=${basis}`));
        const all = totalSums(await ask(`/v1/reports/onramp?basis=${basis}`));
        expect(shownSums(added(closed, adjustedSums(found, 'onramp', basis))), basis).to.deep.equal(shownSums(all));
      }
      await ask('/v1/periods/2026-03/reopen', { note: 'again' });
    }
  }).timeout(30_000);
});
