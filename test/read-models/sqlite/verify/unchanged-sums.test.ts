import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { businessCalendar } from '../../../../src/domain/business-day.ts';
import { rebuild } from '../../../../src/read-models/sqlite/rebuild/rebuild.ts';
import { Generations } from '../../../../src/read-models/sqlite/generations.ts';
import { servingGeneration } from '../../../../src/read-models/sqlite/serving-generation.ts';
import { UnchangedSums } from '../../../../src/read-models/sqlite/verify/unchanged-sums.ts';
import { OrderVerification } from '../../../../src/read-models/sqlite/verify/verify-orders.ts';
import { StepVerification } from '../../../../src/read-models/sqlite/verify/verify-steps.ts';
import { StepFold } from '../../../../src/read-models/step-fold.ts';
import { playedLedger, scripts, type PlayedLedger } from '../../../support/ledger-script.ts';
import { right } from '../../../support/right.ts';
import { runs } from '../../../support/runs.ts';
import { rebuildDeps, there } from '../../../support/sqlite-read-models.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const ZONE = 'Asia/Kolkata';

describe('verify, over sums of read models that nobody changes meanwhile', () => {
  /** Whether sums are proved by the fold of the log, after a change of the tables that was made before verify or within it. */
  const areRight = async (ledger: PlayedLedger, before = '', meanwhile = ''): Promise<boolean> => {
    const folder = temporaryFolder();
    const file = join(folder.path, 'read-models.db');
    const generations = right(Generations.open(file));
    right(await rebuild(rebuildDeps(ledger.store, generations, ZONE, { events: 3, most: 8 })));
    const changes = new Database(generations.fileOf(generations.serving()));
    changes.exec(before);
    const generation = servingGeneration(file);
    if (typeof generation === 'string') expect.fail(generation);
    try {
      const calendar = businessCalendar(ZONE);
      const upTo = right(await ledger.store.head()()) ?? expect.fail('no event');
      const sums = new UnchangedSums(generation.database);
      const steps = new StepVerification(generation.database, upTo);
      const orders = new OrderVerification(generation.database, calendar, generation.checkpoint);
      const fold = new StepFold(steps.ends, calendar);
      for (let part = 0; part < right(await ledger.store.streamParts()()); part += 1)
        for (const stream of right(await ledger.store.readPart(part, upTo)())) {
          fold.add(stream);
          orders.of(stream);
        }
      steps.add(fold.take());
      changes.exec(meanwhile);
      return sums.areRight(steps.verdict(), [orders.right]);
    } finally {
      generation.close();
      changes.close();
      generations.close();
      folder.remove();
    }
  };

  it('proves them, whatever the log is', async () => {
    await fc.assert(
      fc.asyncProperty(scripts(40), async (steps) => {
        const ledger = playedLedger();
        await ledger.play(steps);
        if (right(await ledger.store.head()()) !== null) expect(await areRight(ledger)).to.equal(true);
      }),
      { numRuns: runs(10) },
    );
  });

  const [played] = fc.sample(scripts(40), { numRuns: 1, seed: 3 });

  for (const [what, sql] of [
    ['a sum of a day', `UPDATE cells SET orders = orders + 1 WHERE grain = 'day' AND orders > 0`],
    ['a sum of a month', `UPDATE cells SET fiat = fiat || '1' WHERE grain = 'month' AND fiat <> '0'`],
    ['a sum that is gone', `DELETE FROM cells WHERE period = (SELECT min(period) FROM cells)`],
    ['a sum of a step', 'UPDATE step_cells SET orders = orders + 1'],
    [
      'a sum of a step that is not there',
      'UPDATE step_cells SET step = 1000 WHERE step = (SELECT max(step) FROM step_cells)',
    ],
    [
      'a sum beside the steps',
      `INSERT INTO step_cells (flow, basis, step, day, facet, orders, fiat, settled)
         SELECT flow, basis, 1000, day, facet, orders, fiat, settled FROM step_cells LIMIT 1`,
    ],
    ['a count of a class', 'UPDATE facets SET orders = orders + 1 WHERE orders > 0'],
    ['a count of a day', `INSERT INTO settled_days (day, orders) VALUES ('2020-01-01', 1)`],
    ['the number of events', 'UPDATE steps SET events = events + 1 WHERE no = (SELECT max(no) FROM steps)'],
    ['a row', `UPDATE orders SET state = replace(state, '"', ' "')`],
    [
      'an order too many',
      `INSERT INTO orders (order_id, facet, created_at, created_day, state)
         SELECT 'unknown', facet, created_at, created_day, state FROM orders LIMIT 1`,
    ],
  ] as const) {
    it(`does not prove them where ${what} differs`, async () => {
      const ledger = playedLedger();
      await ledger.play(there(played));
      expect(await areRight(ledger, sql)).to.equal(false);
    });
  }

  it('does not prove them where something was written meanwhile', async () => {
    const ledger = playedLedger();
    await ledger.play(there(played));
    expect(await areRight(ledger)).to.equal(true);
    expect(await areRight(ledger, '', `INSERT INTO settled_days (day, orders) VALUES ('2020-01-01', 0)`)).to.equal(
      false,
    );
  });
});
