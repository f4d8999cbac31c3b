import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { businessCalendar } from '../../../../src/domain/business-day.ts';
import type { Position } from '../../../../src/domain/ids.ts';
import { USUAL_MATCH_SETTINGS } from '../../../../src/domain/match-settings.ts';
import type { StepSizes } from '../../../../src/read-models/log-steps.ts';
import { catchUp } from '../../../../src/read-models/runner.ts';
import { openForWriting } from '../../../../src/read-models/sqlite/generation.ts';
import { rebuild } from '../../../../src/read-models/sqlite/rebuild/rebuild.ts';
import { Generations } from '../../../../src/read-models/sqlite/generations.ts';
import { openTarget } from '../../../../src/read-models/sqlite/open-target.ts';
import { StepVerification } from '../../../../src/read-models/sqlite/verify/verify-steps.ts';
import { verifySums } from '../../../../src/read-models/sqlite/verify/verify-sums.ts';
import { StepFold } from '../../../../src/read-models/step-fold.ts';
import { inBatches } from '../../../support/in-batches.ts';
import { playedLedger, scripts, type PlayedLedger } from '../../../support/ledger-script.ts';
import { right } from '../../../support/right.ts';
import { runs } from '../../../support/runs.ts';
import { QUIET, rebuildDeps, there } from '../../../support/sqlite-read-models.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const ZONE = 'Asia/Kolkata';

describe('verify, over the steps of the log', () => {
  const opened = async (ledger: PlayedLedger, sizes?: StepSizes) => {
    const folder = temporaryFolder();
    const generations = right(Generations.open(join(folder.path, 'read-models.db')));
    right(await rebuild(rebuildDeps(ledger.store, generations, ZONE, sizes)));
    const database = openForWriting(generations.fileOf(generations.serving()));
    const close = (): void => {
      database.close();
      generations.close();
      folder.remove();
    };
    return { generations, database, close };
  };

  const [played] = fc.sample(scripts(40), { numRuns: 1, seed: 3 });

  /** What is found where something goes on between the two readings of the steps, or before the first and behind the log that is folded. */
  const found = async (
    { store }: PlayedLedger,
    database: Database.Database,
    meanwhile: () => Promise<void> = () => Promise.resolve(),
    before: Position | null = null,
  ): Promise<readonly string[]> => {
    const upTo = before ?? right(await store.head()()) ?? expect.fail('no event');
    const steps = new StepVerification(database, upTo);
    await meanwhile();
    const fold = new StepFold(steps.ends, businessCalendar(ZONE));
    for (let part = 0; part < right(await store.streamParts()()); part += 1) {
      for (const stream of right(await store.readPart(part, upTo)())) fold.add(stream);
      steps.add(fold.take());
    }
    return [...steps.verdict().failures, ...verifySums(database, ZONE)].map(({ detail }) => detail);
  };

  it('finds nothing where they are what the log comes to, though some are joined and others made meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(scripts(40), fc.nat(30), fc.integer({ min: 1, max: 4 }), async (steps, built, batch) => {
        const ledger = playedLedger();
        await ledger.play(steps.slice(0, built + 1));
        const { generations, database, close } = await opened(ledger, { events: 1, most: 8 });
        try {
          const goOn = async (): Promise<void> => {
            await ledger.play(steps.slice(built + 1));
            const target = there(openTarget(generations, ZONE, USUAL_MATCH_SETTINGS, { events: 1, most: 3 }));
            right(await catchUp(inBatches(ledger.store, [batch]), target, right(await ledger.store.head()()), QUIET));
            target.close();
          };
          const before = right(await ledger.store.head()());
          expect(await found(ledger, database, goOn)).to.deep.equal([]);
          expect(await found(ledger, database)).to.deep.equal([]);
          expect(await found(ledger, database, undefined, before)).to.deep.equal([]);
        } finally {
          close();
        }
      }),
      // Of the first some steps are surely joined, and others made.
      { numRuns: runs(15), examples: [[there(played), 8, 1]] },
    );
  });

  for (const [what, sql, expected] of [
    [
      'a sum that is in the step behind its own',
      `UPDATE OR IGNORE step_cells SET step = 1 WHERE step = 0`,
      /step 0 of cell .*step 1 of cell/s,
    ],
    ['an end that is moved', 'UPDATE steps SET up_to = up_to - 1 WHERE no = 1', /step 1: 3 events, expected 2/],
    [
      'events of another step',
      'UPDATE steps SET events = CASE no WHEN 0 THEN events - 1 ELSE events + 1 END WHERE no < 2',
      /step 0: 2 events, expected 3/,
    ],
    ['the number of events', 'UPDATE steps SET events = events + 1 WHERE no = 3', /^steps hold 12 events/m],
    [
      'the last end',
      'UPDATE steps SET up_to = up_to - 1 WHERE no = (SELECT max(no) FROM steps)',
      /^steps go to \d+, the rest to \d+$/m,
    ],
    ['ends that go back', 'UPDATE steps SET up_to = 0 WHERE no = 1', /step 1 ends before it begins/],
  ] as const) {
    it(`names ${what}`, async () => {
      const ledger = playedLedger();
      await ledger.play(there(played));
      const { database, close } = await opened(ledger);
      try {
        expect(await found(ledger, database)).to.deep.equal([]);
        expect(database.prepare(sql).run().changes).to.be.greaterThan(0);
        expect((await found(ledger, database)).join('\n')).to.match(expected);
      } finally {
        close();
      }
    });
  }
});
