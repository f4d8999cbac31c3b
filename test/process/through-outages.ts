import { expect } from 'chai';
import * as fc from 'fast-check';
import { readSpoolState } from '../../src/event-store/spool/read-spool-state.ts';
import { startEventStoreDb, type EventStoreDbDouble } from '../support/eventstoredb/event-store-db-double.ts';
import { expectOnceEach } from '../support/once-each.ts';
import { PersistentProvider } from '../support/persistent-provider.ts';
import { right } from '../support/right.ts';
import { storedTraces } from '../support/stored-traces.ts';
import { until } from '../support/until.ts';
import { within } from '../support/within.ts';
import { expectOracle } from './oracle-agreement.ts';
import { GONE, OUTAGES, type Outage } from './outages.ts';
import { expectOrderlyEnd, processFixture } from './process-fixture.ts';
import { deliverOrders, providedOrders } from './provided-orders.ts';

export type Outages = {
  /** So many are drawn, by their weights. */
  readonly drawn: number;
  /** What comes besides. */
  readonly besides: readonly Outage[];
  readonly kills: number;
};

const LANES = 8;
/** What lasts longer never ends. */
const PATIENCE_MS = 30_000;

/** All of them, in any order. */
const inAnyOrder = ({ drawn, besides }: Outages): fc.Arbitrary<readonly Outage[]> =>
  fc
    .array(fc.oneof(...OUTAGES.map((outage) => ({ weight: outage.weight, arbitrary: fc.constant(outage) }))), {
      minLength: drawn,
      maxLength: drawn,
    })
    .chain((some) => fc.shuffledSubarray([...besides, ...some], { minLength: besides.length + drawn }));

/** A ledger that keeps everything that it acknowledged exactly once, whatever its EventStoreDB does meanwhile. */
export const throughOutages = (outages: Outages): void => {
  const count = outages.besides.length + outages.drawn;
  const ledger = processFixture();
  let double: EventStoreDbDouble;

  beforeEach(async () => {
    double = await startEventStoreDb();
  });
  afterEach(() => double.close());

  const env = () => ledger.env({ EVENT_STORE_URL: double.url, LOG_LEVEL: 'fatal' });
  const spool = () => right(readSpoolState(ledger.inFolder('data', 'spool.db')));

  it(`keeps everything that it acknowledged exactly once, through ${count} outages and ${outages.kills} kills`, async () => {
    const survives = async (seed: number): Promise<void> => {
      const drawn = fc.sample(inAnyOrder(outages), { seed, numRuns: 1 }).flat();
      let serving = await ledger.serve(env());
      const provider = new PersistentProvider(() => serving.url);
      const orders = providedOrders(seed);
      const over = new AbortController();

      const grows = async (what: string, count: () => number, by: number): Promise<void> => {
        const from = count();
        await until(PATIENCE_MS, what, () => Promise.resolve(count() >= from + by ? true : null));
      };
      // What was acknowledged a moment before the kill has nothing but the spool's file.
      const killed = async (): Promise<void> => {
        await within(PATIENCE_MS, provider.nextSpooled(), 'a delivery to be spooled');
        serving.signal('SIGKILL');
        expect((await serving.finished).signal).to.equal('SIGKILL');
        serving = await ledger.serve(env());
      };
      const suffer = async ({ name, begin, meets, end }: Outage, during = () => Promise.resolve()): Promise<void> => {
        const met = double.faults.whenMet(meets ?? 0);
        await begin(double);
        if (meets === null) await grows(`a delivery: ${name}`, () => provider.acknowledged, 1);
        else await within(PATIENCE_MS, met, `calls: ${name}`);
        await during();
        await end?.(double);
      };
      const sufferAll = async (): Promise<void> => {
        const killEvery = Math.floor(drawn.length / (outages.kills + 1));
        for (const [n, outage] of drawn.entries()) {
          await suffer(outage);
          if (n > 0 && n % killEvery === 0 && n <= outages.kills * killEvery) await suffer(GONE, killed);
          // Now and then the next one comes before the ledger is over this one.
          if (n % 4 !== 0) await grows('the store to take something', () => provider.stored, 1);
        }
        double.faults.clear();
        over.abort();
      };

      try {
        await Promise.all([sufferAll(), deliverOrders(orders, provider, LANES, over.signal)]);
      } finally {
        over.abort();
        provider.end();
      }
      await until(PATIENCE_MS, 'the spool to be empty', () => Promise.resolve(spool()?.depth === 0 ? true : null));
      expect(spool()?.setAside).to.deep.equal([]);
      expect(provider.stored, 'taken by the store').to.be.at.least(count / 2);
      expect(provider.spooled, 'taken by the spool').to.be.at.least(count / 2);

      const traces = storedTraces(double.log);
      expectOnceEach(provider.attempts, traces, orders.ofOtherFlow());
      await expectOracle(serving.url, provider.attempts, traces);
      const ofOrders = new Set(traces.map(({ stream }) => stream).filter((stream) => stream.startsWith('order-')));
      const verified = await ledger.command(['verify', '--json'], env());
      expect(JSON.parse(verified.out)).to.deep.equal({
        events: traces.length,
        orders: ofOrders.size,
        failures: [],
        unknownSecrets: 0,
      });
      serving.signal('SIGTERM');
      expectOrderlyEnd(await serving.finished, ledger.inFolder('data'));
    };
    await fc.assert(fc.asyncProperty(fc.nat(), survives), { numRuns: 1, endOnFailure: true });
  }).timeout(180_000);
};
