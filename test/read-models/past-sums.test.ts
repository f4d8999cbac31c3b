import { expect } from 'chai';
import * as fc from 'fast-check';
import { facetKey, type Cell } from '../../projections/report/index.ts';
import { businessCalendar } from '../../src/domain/business-day.ts';
import { isOrderStream, type StreamName } from '../../src/domain/ids.ts';
import type { RecordedEvent } from '../../src/domain/recorded-event.ts';
import { DayCells } from '../../src/read-models/day-cells.ts';
import { PastSums } from '../../src/read-models/past-sums.ts';
import { projectOrder } from '../../src/read-models/projected-order.ts';
import { contributionsOf } from '../../src/read-models/reports.ts';
import { storedMeasures } from '../../src/read-models/stored-measures.ts';
import { playedLedger, scripts } from '../support/ledger-script.ts';
import { right } from '../support/right.ts';
import { runs } from '../support/runs.ts';

const TIME_ZONE = 'Asia/Kolkata';

/** What the orders of a log come to. */
const cellsOf = (events: readonly RecordedEvent[]): readonly Cell[] => {
  const streams = new Map<StreamName, RecordedEvent[]>();
  for (const event of events) {
    if (isOrderStream(event.stream)) streams.set(event.stream, [...(streams.get(event.stream) ?? []), event]);
  }
  return [...streams.values()].flatMap((ofOrder) => {
    const { order } = projectOrder(ofOrder);
    return order === null ? [] : contributionsOf(order.state, businessCalendar(TIME_ZONE));
  });
};

const shown = (...cells: readonly (readonly Cell[])[]): readonly string[] => {
  const sums = new DayCells();
  for (const some of cells) sums.add(some, 1);
  return sums
    .cells()
    .map(({ basis, day, facet, measures }) => JSON.stringify([basis, day, facetKey(facet), storedMeasures(measures)]))
    .toSorted();
};

describe('sums of moments', () => {
  it('are what the log came to then, whatever was asked before and however it was cut up', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(scripts(40), scripts(40), scripts(40)).map((parts) => parts.flat()),
        fc.array(fc.tuple(fc.nat(14), fc.nat(2)), { minLength: 16, maxLength: 16 }),
        fc.record({
          eventsOfAStep: fc.integer({ min: 1, max: 6 }),
          stepsBetweenKept: fc.integer({ min: 1, max: 3 }),
          mostCells: fc.constantFrom(0, 40, 1_000),
        }),
        async (steps, moments, way) => {
          const { store, play } = playedLedger();
          const sums = new PastSums(store, way).of(TIME_ZONE);
          let played = 0;
          let first = 20;
          for (const [at, more] of moments) {
            // The log grows in between.
            await play(steps.slice(played, played + first + more));
            played += first + more;
            first = 0;
            const events = await Array.fromAsync(store.readAll(null), right);
            const upTo = events.slice(0, 2 * at);
            const { upTo: beside, cells } = right(
              await sums.at(upTo.at(-1)?.position ?? null, events.at(-1)?.position ?? null),
            );
            const now = beside === null ? [] : cellsOf(events);
            expect(shown(now, cells)).to.deep.equal(shown(cellsOf(upTo)));
          }
        },
      ),
      { numRuns: runs(25) },
    );
  });
});
