import { join } from 'node:path';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { facetKey, type Cell, type ReportCell } from '../../projections/report/index.ts';
import { businessCalendar, parseBusinessDay } from '../../src/domain/business-day.ts';
import { USUAL_MATCH_SETTINGS } from '../../src/domain/match-settings.ts';
import { comparePositions } from '../../src/domain/position.ts';
import type { RecordedEvent } from '../../src/domain/recorded-event.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { DayCells } from '../../src/read-models/day-cells.ts';
import { nearestKnown } from '../../src/read-models/known-moment.ts';
import type { StepSizes } from '../../src/read-models/log-steps.ts';
import { withPast } from '../../src/read-models/past-read-models.ts';
import { projectOrder } from '../../src/read-models/projected-order.ts';
import { contributionsOf } from '../../src/read-models/reports.ts';
import { catchUp } from '../../src/read-models/runner.ts';
import { openForWriting } from '../../src/read-models/sqlite/generation.ts';
import { rebuild } from '../../src/read-models/sqlite/rebuild/rebuild.ts';
import { Generations } from '../../src/read-models/sqlite/generations.ts';
import { openTarget } from '../../src/read-models/sqlite/open-target.ts';
import { openSnapshot } from '../../src/read-models/sqlite/open-queries.ts';
import { verifySums } from '../../src/read-models/sqlite/verify/verify-sums.ts';
import { PastStates } from '../../src/read-models/touched-orders.ts';
import { storedMeasures } from '../../src/read-models/stored-measures.ts';
import { inBatches } from '../support/in-batches.ts';
import { playedLedger, scripts } from '../support/ledger-script.ts';
import { right } from '../support/right.ts';
import { runs } from '../support/runs.ts';
import { QUIET, rebuildDeps, there } from '../support/sqlite-read-models.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ZONE = 'Asia/Kolkata';

const QUESTIONS = (['onramp', 'offramp'] as const).flatMap((flow) =>
  (['created', 'settled'] as const).map((basis) => ({ flow, basis, from: null, to: null, groupBy: ['day'] as const })),
);

/** What the orders of a log come to. */
const cellsOf = (events: readonly RecordedEvent[]): readonly Cell[] =>
  [...Map.groupBy(events, ({ stream }) => stream)].flatMap(([stream, its]) => {
    const { order } = stream.startsWith('order-') ? projectOrder(its) : { order: null };
    return order === null ? [] : contributionsOf(order.state, businessCalendar(ZONE));
  });

const shown = (cells: readonly Cell[]): readonly string[] => {
  const sums = new DayCells();
  sums.add(cells, 1);
  return sums
    .cells()
    .map(({ day, facet, measures }) => JSON.stringify([day, facetKey(facet), storedMeasures(measures)]))
    .toSorted();
};

/** What a process that has just started finds of moments in a log, and how many events it has read along it. */
const countedPast = (store: EventStore): { readonly past: PastStates; readonly read: () => number } => {
  let events = 0;
  const readAll: EventStore['readAll'] = async function* (after) {
    for await (const event of store.readAll(after)) {
      events += 1;
      yield event;
    }
  };
  return { past: new PastStates({ ...store, readAll }), read: () => events };
};

/** What the steps of a log are made in: at first at once, then batch by batch. */
type Made = { readonly built: number; readonly batches: readonly number[]; readonly sizes: StepSizes };

const made: fc.Arbitrary<Made> = fc.record({
  built: fc.nat(20),
  batches: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 20 }),
  sizes: fc.record({ events: fc.integer({ min: 1, max: 6 }), most: fc.integer({ min: 2, max: 5 }) }),
});

describe('moments that read models know', () => {
  it('have what the log came to then, are no more than so many, and no moment is farther than a step from one of them', async () => {
    await fc.assert(
      fc.asyncProperty(scripts(40), made, async (steps, { built, batches, sizes }) => {
        const folder = temporaryFolder();
        const generations = right(Generations.open(join(folder.path, 'read-models.db')));
        try {
          const { store, play } = playedLedger();
          await play(steps.slice(0, built));
          right(await rebuild(rebuildDeps(store, generations, ZONE, sizes)));
          await play(steps.slice(built));
          const target = there(openTarget(generations, ZONE, USUAL_MATCH_SETTINGS, sizes));
          right(await catchUp(inBatches(store, batches), target, right(await store.head()()), QUIET));
          target.close();
          const events = await Array.fromAsync(store.readAll(null), right);
          const snapshot = there(openSnapshot(generations));
          const known = right(await snapshot.steps()());
          expect(known.length).to.be.at.most(sizes.most + 1);
          expect(known.at(-1)?.upTo).to.equal(events.at(-1)?.position);
          for (const { upTo } of known) {
            const { at, cells } = right(await nearestKnown(snapshot, upTo));
            expect(at).to.equal(upTo);
            const then = cellsOf(events.filter(({ position }) => comparePositions(position, upTo) <= 0));
            for (const question of QUESTIONS) {
              const found = right(await cells(question)).map(({ period, ...of }: ReportCell): Cell => ({
                ...of,
                basis: question.basis,
                day: parseBusinessDay(period) ?? expect.fail(period),
              }));
              const expected = then.filter(
                (cell) => cell.facet.flow === question.flow && cell.basis === question.basis,
              );
              expect(shown(found)).to.deep.equal(shown(expected));
            }
          }
          const longest = Math.max(0, ...known.map(({ events: of }) => of));
          for (const { position, recordedAt: at } of events) {
            const { past, read } = countedPast(store);
            const question = { flow: 'onramp', basis: 'created', from: null, to: null, groupBy: [] } as const;
            right(await withPast(snapshot, past).report({ ...question, asOf: { checkpoint: { position, at } } })());
            // The way ends where the first event behind it is read.
            expect(read()).to.be.at.most(longest + 1);
          }
          await snapshot.close();
        } finally {
          generations.close();
          folder.remove();
        }
      }),
      { numRuns: runs(25) },
    );
  });

  it('are held to the rows of orders by verify', async () => {
    const folder = temporaryFolder();
    const generations = right(Generations.open(join(folder.path, 'read-models.db')));
    const { store, play } = playedLedger();
    const [steps] = fc.sample(scripts(30), { numRuns: 1, seed: 3 });
    await play(there(steps));
    right(await rebuild(rebuildDeps(store, generations, ZONE)));
    const database = openForWriting(generations.fileOf(generations.serving()));
    expect(verifySums(database, ZONE)).to.deep.equal([]);
    database.exec('UPDATE step_cells SET orders = orders + 1');
    expect(verifySums(database, ZONE).map(({ problem }) => problem)).to.include('read-model-report-differs');
    database.close();
    generations.close();
    folder.remove();
  });
});
