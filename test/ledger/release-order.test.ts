import { expect } from 'chai';
import * as fc from 'fast-check';
import { foldOrder } from '../../projections/order-state/index.ts';
import type { StreamName } from '../../src/domain/ids.ts';
import { instantOf } from '../../src/domain/instant.ts';
import { readLedgerEvent } from '../../src/domain/ledger-event.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { RecentOrders } from '../../src/ledger/recent-orders.ts';
import { listedStatuses } from '../support/arbitraries.ts';
import { cutOffStore, type CutOff } from '../support/cut-off-store.ts';
import { inMemoryEventStore } from '../support/in-memory-event-store.ts';
import { bodyOf, newOrderId, offRamp } from '../support/payloads.ts';
import {
  askForRelease,
  countProven,
  deliver,
  deliverUnaware,
  ENDS,
  expectReleased,
  orderEvents,
  OUTCOMES,
  putAway,
  release,
  scene,
  type Appends,
} from '../support/quarantine-scene.ts';
import { right } from '../support/right.ts';
import { pagesOf } from '../support/pages-of.ts';

describe('releases in any order', () => {
  const fresh = () => inMemoryEventStore(() => instantOf(0));

  it('answers all alike in whatever order the store gets to what they ask of it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.constantFrom(...OUTCOMES), async (scheduler, outcome) => {
        const store = fresh();
        const { orderId, body } = await scene(store, outcome);
        const read = scheduler.scheduleFunction((stream: StreamName) => store.readStream(stream)());
        const append = scheduler.scheduleFunction((...args: Parameters<EventStore['append']>) =>
          store.append(...args)(),
        );
        const slow: Appends = {
          readAt: store.readAt,
          readStream: (stream) => () => read(stream),
          streamPages: pagesOf((stream) => () => read(stream)),
          append:
            (...args) =>
            () =>
              append(...args),
        };
        const asked = Promise.all([release(slow, body), release(slow, body), deliver(store, body, slow)]);
        const [answer, ...others] = await scheduler.waitFor(asked);
        for (const other of others) expect(other).to.deep.equal(answer);
        expect([answer.outcome, answer.event.revision]).to.deep.equal([outcome, ENDS[outcome].revision]);
        await expectReleased(store, body, answer);
        expect(await orderEvents(store, orderId)).to.have.length(ENDS[outcome].types.length);
      }),
    );
  });

  it('gives the same order in whatever order and however often deliveries are released', async () => {
    const sets = fc
      .uniqueArray(
        fc.record({
          status: fc.oneof(
            { weight: 6, arbitrary: listedStatuses('offramp') },
            { weight: 1, arbitrary: fc.constant('onHold') },
          ),
          utr: fc.constantFrom(null, null, 'A1', 'B2'),
          fiat: fc.constantFrom(100, 100, 100.5),
          minute: fc.nat(59),
        }),
        { minLength: 1, maxLength: 7, selector: ({ status, utr }) => JSON.stringify([status, utr]) },
      )
      .chain((set) =>
        fc.record({
          set: fc.constant(set),
          // Those that were never in quarantine.
          direct: fc.subarray([...set.keys()]),
          asked: fc
            .array(fc.nat(set.length - 1), { maxLength: 8 })
            .chain((again) => fc.shuffledSubarray([...set.keys(), ...again], { minLength: set.length + again.length })),
          cutOffs: fc.array(fc.constantFrom<[number, CutOff] | null>(null, [1, 'before'], [1, 'after'], [2, 'before'])),
        }),
      );
    await fc.assert(
      fc.asyncProperty(sets, async ({ set, direct, asked, cutOffs }) => {
        const orderId = newOrderId();
        const deliveries = set.map(({ minute, ...over }) => ({
          body: bodyOf(offRamp({ ...over, orderId })),
          receivedAt: instantOf(Date.UTC(2023, 2, 1, 0, minute)),
        }));
        const stateOf = async (store: EventStore): Promise<unknown> =>
          foldOrder((await orderEvents(store, orderId)).map((event) => right(readLedgerEvent(event))));
        const [straight, released] = [fresh(), fresh()];
        for (const [i, { body, receivedAt }] of deliveries.entries()) {
          for (const store of direct.includes(i) ? [straight, released] : [straight]) {
            await deliverUnaware(store, body, receivedAt);
          }
          if (!direct.includes(i)) await putAway(released, body.toString(), receivedAt);
        }
        const recent = new RecentOrders(100);
        for (const [n, i] of asked.entries()) {
          const { body } = deliveries[i] ?? { body: bodyOf('') };
          const cut = cutOffs[n] ?? null;
          if (cut !== null) await askForRelease(cutOffStore(released, ...cut), body, recent);
          if (!direct.includes(i))
            expect(right(await askForRelease(released, body, recent)).outcome).to.equal('recorded');
        }
        // Times of receipt are those of the deliveries, so that nothing at all differs.
        expect(await stateOf(released)).to.deep.equal(await stateOf(straight));
        expect(await countProven(released)).to.equal(set.length + 2 * (set.length - direct.length));
      }),
      { numRuns: 200 },
    );
  });
});
