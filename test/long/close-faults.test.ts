import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import { branded } from '../../src/domain/brand.ts';
import type { Instant } from '../../src/domain/instant.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import type { AppendError, Appended, EventStore } from '../../src/event-store/event-store.ts';
import { startEventStoreDb, type EventStoreDbDouble } from '../support/eventstoredb/event-store-db-double.ts';
import { deliver, exchange, type Answer } from '../support/exchange.ts';
import { at } from '../support/naive-json.ts';
import { bodyOf, onRamp } from '../support/payloads.ts';
import { API_KEY, startLedger, type LedgerOptions, type RunningLedger } from '../support/running-ledger.ts';
import { until } from '../support/until.ts';

const MARCH = '2026-03-05T06:31:08.000Z';
const MONTH = '/v1/periods/2026-03';
const ROUNDS = 5;
const WAIT_MS = 15_000;

const ask = (url: string, path: string, body?: object): Promise<Answer> =>
  exchange(url, {
    path,
    headers: { authorization: `Bearer ${API_KEY}` },
    ...(body === undefined ? {} : { method: 'POST', body: Buffer.from(JSON.stringify(body)) }),
  });

const close = (url: string): Promise<Answer> => ask(url, `${MONTH}/close`, { note: 'n' });

/** A ledger with one order of March, in April. */
const ledgerOf = async (options: LedgerOptions): Promise<RunningLedger> => {
  const ledger = await startLedger({ now: () => branded<Instant>('2026-04-02T10:00:00.000Z'), ...options });
  const order = onRamp({ orderId: 'mar', createdAt: MARCH, status: 'completed', fiat: 100.5 });
  const { text } = await deliver(ledger.url, bodyOf(order));
  const position = String(at(JSON.parse(text), 'position'));
  expect((await ask(ledger.url, `/v1/reports/onramp?position=${position}`)).status).to.equal(200);
  return ledger;
};

const stateOf = async ({ url }: RunningLedger): Promise<unknown> =>
  at(JSON.parse((await ask(url, MONTH)).text), 'state');

describe('a close that meets a fault', () => {
  it('is one of two ledgers on one EventStoreDB that close at once, and both answer the same bytes then', async () => {
    const double = await startEventStoreDb();
    const options = { env: { EVENT_STORE_URL: double.url } };
    const both = [await ledgerOf(options), await ledgerOf(options)];
    try {
      for (let round = 0; round < ROUNDS; round += 1) {
        const closes = await Promise.all(both.map(({ url }) => close(url)));
        expect(closes.map(({ status }) => String(status)).toSorted()).to.deep.equal(['200', '409']);
        const seen = await Promise.all(
          both.map(async ({ url }) => [
            (await ask(url, MONTH)).text,
            (await ask(url, '/v1/reports/onramp?period=2026-03')).text,
          ]),
        );
        expect(seen[0]).to.deep.equal(seen[1]);
        const [period = '', report = ''] = seen[0] ?? [];
        expect(at(JSON.parse(period), 'reports', 'onramp', 'sha256')).to.equal(sha256(report));
        const reopened = await Promise.all(both.map(({ url }) => ask(url, `${MONTH}/reopen`, { note: 'again' })));
        expect(reopened.map(({ status }) => String(status)).toSorted()).to.deep.equal(['200', '409']);
        expect(double.log.stream('period-2026-03')?.events).to.have.lengthOf(2 * (round + 1));
      }
    } finally {
      for (const ledger of both) await ledger.close();
      await double.close();
    }
  }).timeout(30_000);

  describe('of an EventStoreDB', () => {
    let double: EventStoreDbDouble;
    let ledger: RunningLedger;
    beforeEach(async () => {
      double = await startEventStoreDb();
      ledger = await ledgerOf({ env: { EVENT_STORE_URL: double.url } });
    });
    afterEach(async () => {
      await ledger.close();
      await double.close();
    });

    it('that is away is refused, and leaves the month open', async () => {
      await double.stop();
      const refused = await close(ledger.url);
      expect([refused.status, at(JSON.parse(refused.text), 'code')]).to.deep.equal([503, 'store-unavailable']);
      expect(Number(refused.headers['retry-after'])).to.be.at.least(1);
      await double.start();
      const closed = await until(WAIT_MS, 'the close', async () => {
        const answer = await close(ledger.url);
        return answer.status === 200 ? answer : null;
      });
      expect(at(JSON.parse(closed.text), 'history')).to.have.lengthOf(1);
    }).timeout(30_000);
  });

  it('is there once where only its answer was lost', async () => {
    let loses = true;
    const lossy = (store: EventStore): EventStore => ({
      ...store,
      append: (stream, expected, events): TE.TaskEither<AppendError, Appended> => {
        const append = store.append(stream, expected, events);
        if (!stream.startsWith('period-')) return append;
        return async () => {
          const appended = await append();
          if (!loses) return appended;
          loses = false;
          return E.left({ _tag: 'StoreUnavailable', detail: 'the answer was lost' });
        };
      },
    });
    const ledger = await ledgerOf({ wrapStore: lossy });
    try {
      expect((await close(ledger.url)).status).to.equal(503);
      expect(await stateOf(ledger)).to.equal('closed');
      expect((await close(ledger.url)).status).to.equal(409);
      expect(await ledger.eventsOf('period-2026-03')).to.have.lengthOf(1);
    } finally {
      await ledger.close();
    }
  });
});
