import { expect } from 'chai';
import { readFaults, FAULTS } from '../../src/sandbox/fault.ts';
import { signWith } from '../../src/sandbox/parcel.ts';
import { createPost } from '../../src/sandbox/post.ts';
import { Sandbox } from '../../src/sandbox/sandbox.ts';
import { sandboxClock } from '../../src/sandbox/sandbox-clock.ts';
import { added, adjustedSums, items, ofOrders, shownSums, sumsOfOrders, totalSums } from '../periods/month-sums.ts';
import { exchange } from '../support/exchange.ts';
import { at } from '../support/naive-json.ts';
import { SECRET } from '../support/payloads.ts';
import { right } from '../support/right.ts';
import { API_KEY, startLedger, type RunningLedger } from '../support/running-ledger.ts';
import { until } from '../support/until.ts';

const DAY = 86_400_000;
const ORDERS = 400;
const AT_ONCE = 64;
/** Deliveries before the close. */
const FIRST = 600;
const LEAST_LATE = 2_000;
/** How many orders those change hangs on which deliveries were first; fewer would say little. */
const LEAST_EXPLAINED = 50;
const FLOWS = ['onramp', 'offramp'] as const;
const BASES = ['created', 'settled'] as const;
const DESPITE = ['quarantine', 'clock-anomalies'];
const LOST = { status: 503, body: '{"outcome":"lost"}', durationMs: 1 };

describe('a month of a sandbox with every fault', () => {
  let ledger: RunningLedger;
  beforeEach(async () => {
    ledger = await startLedger({ env: { BUSINESS_TIME_ZONE: 'Asia/Kolkata' } });
  });
  afterEach(() => ledger.close());

  const ask = async (path: string, body?: object): Promise<string> => {
    const { status, text } = await exchange(ledger.url, {
      path,
      headers: { authorization: `Bearer ${API_KEY}` },
      ...(body === undefined ? {} : { method: 'POST', body: Buffer.from(JSON.stringify(body)) }),
    });
    expect(status, `${path}: ${text}`).to.equal(200);
    return text;
  };
  const json = async (path: string): Promise<unknown> => JSON.parse(await ask(path));
  const head = async (): Promise<string> => {
    const position = right(await ledger.store.head()()) ?? '';
    await until(30_000, 'the read models', async () => {
      const path = `/v1/reports/onramp?position=${position}`;
      const { status } = await exchange(ledger.url, { path, headers: { authorization: `Bearer ${API_KEY}` } });
      return status === 200 ? true : null;
    });
    return position;
  };
  const pathsOf = (month: string): readonly string[] =>
    FLOWS.flatMap((flow) => BASES.map((basis) => `/v1/reports/${flow}?period=${month}&basis=${basis}`)).flatMap(
      (path) => [path, `${path}&groupBy=day,token,chain`, `${path}&format=csv`],
    );

  /** Each order behind an adjustment is what its stream says that it was at the close, and what it is now. */
  const expectExplained = async (adjustments: unknown, position: string): Promise<number> => {
    const orders = new Set<string>();
    for (const row of items(at(adjustments, 'data'))) {
      for (const order of items(at(row, 'orders'))) {
        const orderId = String(at(order, 'orderId'));
        orders.add(orderId);
        const events = await ledger.eventsOf(`order-${orderId}`);
        const late = events.filter((event) => Number(event.position) > Number(position));
        expect(at(order, 'eventIds'), orderId).to.deep.equal(late.map(({ id }) => id));
        const path = `/v1/orders/${encodeURIComponent(orderId)}`;
        const before = events.length - late.length;
        for (const [member, shown] of [
          ['closed', before === 0 ? null : await json(`${path}?revision=${before - 1}`)],
          ['now', await json(path)],
        ] as const) {
          const then = at(order, member);
          if (then === null) continue;
          expect(then, `${orderId} ${member}`).to.deep.equal({
            phase: at(shown, 'phase'),
            fiat: at(shown, 'fiat', 'amount'),
          });
        }
      }
    }
    return orders.size;
  };

  it('stays what it was closed as after thousands of late events, each difference explained to the order', async () => {
    const { post, close } = createPost(new URL('/v1/webhooks', ledger.url), AT_ONCE, () => performance.now());
    let [requests, isOpen, arrived] = [0, false, 0];
    const opened = Promise.withResolvers<void>();
    const sandbox = new Sandbox({
      seed: '7',
      clock: sandboxClock(Date.now),
      wallMs: Date.now,
      monotonicMs: () => performance.now(),
      // A second here is a millisecond: what is held back is overtaken all the same.
      wait: (ms) => new Promise((resolve) => void setTimeout(resolve, ms / 1_000)),
      callback: {
        post: {
          post: async (signed) => {
            requests += 1;
            // Until the close every third request goes astray, and is sent again and again.
            if (!isOpen && requests % 3 === 0) return LOST;
            // Most of the month comes late.
            if (!isOpen && arrived > FIRST) await opened.promise;
            const answer = await post(signed);
            arrived += 1;
            return answer;
          },
          close,
        },
        sign: signWith(Buffer.from(SECRET)),
      },
      retries: { mostTries: null, firstWaitMs: 2_000 },
      ordersAtOnce: ORDERS,
      onGivenUp: () => undefined,
    });
    try {
      const faults = right(readFaults(Object.keys(FAULTS)));
      const played = sandbox.play({ orders: ORDERS, rate: null, withinMs: 60 * DAY, faults });
      await until(60_000, 'the first half', () => Promise.resolve(arrived > FIRST ? true : null));
      await head();
      const months = items(at(await json('/v1/periods'), 'data')).map((period) => String(at(period, 'period')));
      const over = months.slice(1).toReversed();
      const closed = new Map<string, string>();
      const positions = new Map<string, string>();
      for (const month of over) {
        const period: unknown = JSON.parse(await ask(`/v1/periods/${month}/close`, { note: month, despite: DESPITE }));
        positions.set(month, String(at(period, 'position')));
        for (const path of pathsOf(month)) closed.set(path, await ask(path));
      }
      const before = await ledger.eventCount();
      isOpen = true;
      opened.resolve();
      await played;
      await head();
      expect((await ledger.eventCount()) - before, 'late events').to.be.greaterThan(LEAST_LATE);

      for (const [path, text] of closed) expect(await ask(path), path).to.equal(text);
      let explained = 0;
      const adjustments = new Map<string, unknown>();
      for (const month of over) {
        const found = await json(`/v1/periods/${month}/adjustments?limit=500`);
        adjustments.set(month, found);
        explained += await expectExplained(found, positions.get(month) ?? '');
      }
      expect(explained, 'orders behind adjustments').to.be.greaterThan(LEAST_EXPLAINED);
      for (const flow of FLOWS) {
        for (const basis of BASES) {
          const reports: unknown[] = [];
          for (const month of months) reports.push(await json(`/v1/reports/${flow}?period=${month}&basis=${basis}`));
          const differences = over.map((month) => adjustedSums(adjustments.get(month), flow, basis));
          const all = totalSums(await json(`/v1/reports/${flow}?basis=${basis}`));
          expect(shownSums(added(...reports.map(totalSums), ...differences)), `${flow} ${basis}`).to.deep.equal(
            shownSums(all),
          );
          for (const [i, month] of over.entries()) {
            const ofMonth = sumsOfOrders(adjustments.get(month), flow, basis);
            expect(shownSums(ofMonth), `${month} ${flow} ${basis}`).to.deep.equal(
              shownSums(ofOrders(differences[i] ?? new Map())),
            );
          }
        }
      }
    } finally {
      sandbox.end();
    }
  }).timeout(180_000);
});
