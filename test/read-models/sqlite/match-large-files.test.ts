import Database from 'better-sqlite3';
import { expect } from 'chai';
import { USUAL_MATCH_SETTINGS } from '../../../src/domain/match-settings.ts';
import { positionAt } from '../../../src/domain/position.ts';
import { sha256 } from '../../../src/domain/sha256.ts';
import { USUAL_STEPS } from '../../../src/read-models/log-steps.ts';
import { verifyMatch } from '../../../src/read-models/sqlite/verify/verify-match.ts';
import { createIndexes, createTables } from '../../../src/read-models/sqlite/schema.ts';
import { ProjectionStore } from '../../../src/read-models/sqlite/projection-store.ts';
import { Queries } from '../../../src/read-models/sqlite/queries.ts';
import { decimal, day, utcCalendar } from '../../projections/match/match-scene.ts';
import { batchOf, fileOf, lineOf, linesOfFile, orderState } from '../../support/match-batches.ts';
import { ALL, allItems, NO_FILTER, TODAY } from './match-steps.ts';

describe('large files in the match', () => {
  let database: Database.Database;

  beforeEach(() => {
    database = new Database(':memory:');
  });
  afterEach(() => database.close());

  it('takes in a large file part by part, killed or out of disk at any of them or not, beside what comes meanwhile, and misses no order before all of it is there', () => {
    const many = 7;
    const lines = linesOfFile(
      'large',
      Array.from({ length: many }, (_, index) => lineOf(`l${index}`, { references: [`U${index}`] })),
    );
    const statement = fileOf(lines, 1);
    const ordered = (id: string, utr: string) => ({
      orders: [{ state: orderState(id, 'PayoutSuccess', utr, 100), otherUtrs: [], isNew: true }],
    });
    const today = { ...TODAY, today: day('2026-03-11') };
    const items = (most: number, fault: 'none' | 'kill' | 'full disk' = 'none'): readonly (readonly unknown[])[] => {
      database.close();
      database = new Database(':memory:');
      createTables(database);
      createIndexes(database);
      const opened = () =>
        new ProjectionStore(database, utcCalendar, USUAL_MATCH_SETTINGS, USUAL_STEPS, { most, atOnce: 2 });
      let store = opened();
      /** Of a store that was killed nothing is left but what is in the database; one that had no room goes on. */
      const faulty = (): void => {
        if (fault === 'kill') store = opened();
        if (fault !== 'full disk') return;
        for (const table of ['match_due', 'match_items']) {
          database.exec(`
            CREATE TEMP TRIGGER no_room_for_more BEFORE UPDATE ON ${table} BEGIN SELECT RAISE(ABORT, 'full'); END;
            CREATE TEMP TRIGGER no_room BEFORE INSERT ON ${table} BEGIN SELECT RAISE(ABORT, 'full'); END`);
          if (due() !== null && due() !== 1) expect(() => store.settle()).to.throw('full');
          database.exec('DROP TRIGGER no_room; DROP TRIGGER no_room_for_more');
        }
      };
      const queries = new Queries(database, 'UTC');
      const due = (): number | null => queries.matchSummary({ filter: NO_FILTER, day: today }).due?.lines ?? null;
      const stateOf = (orderId: string) =>
        queries.matchItems({ ...ALL, day: today, after: null, limit: 9, orderId }).data[0]?.state;
      store.apply(null, batchOf(0, { ...ordered('o1', 'U1'), bank: lines.map((line) => ({ _tag: 'Line', line })) }));
      store.apply(positionAt(0), batchOf(1, { bank: [{ _tag: 'Imported', statement }] }));
      faulty();
      store.apply(positionAt(1), batchOf(2, ordered('missed', 'U99')));
      if (most < many) {
        expect([due(), stateOf('o1'), stateOf('missed')]).to.deep.equal([many, 'expected', 'expected']);
        expect(verifyMatch(database, utcCalendar, USUAL_MATCH_SETTINGS)).to.deep.equal([]);
        faulty();
        expect(store.settle()).to.equal(true);
        faulty();
        expect(verifyMatch(database, utcCalendar, USUAL_MATCH_SETTINGS)).to.deep.equal([]);
        expect([due(), stateOf('o1')]).to.deep.equal([many - 2, 'matched']);
      }
      store.apply(positionAt(2), batchOf(3, ordered('o5', 'U5')));
      store.apply(positionAt(3), batchOf(4, ordered('o0', 'U0')));
      while (store.settle()) {
        expect(due()).not.to.equal(0);
        expect(verifyMatch(database, utcCalendar, USUAL_MATCH_SETTINGS)).to.deep.equal([]);
        faulty();
      }
      store.apply(positionAt(4), batchOf(5, ordered('o6', 'U6')));
      expect(['o0', 'o1', 'o5', 'o6'].map(stateOf)).to.deep.equal(['matched', 'matched', 'matched', 'matched']);
      expect([due(), stateOf('missed')]).to.deep.equal([null, 'unmatched-order']);
      expect(verifyMatch(database, utcCalendar, USUAL_MATCH_SETTINGS)).to.deep.equal([]);
      return allItems(queries, 3).map(({ itemId, state, members }) => [itemId, state, members]);
    };
    expect(items(3)).to.deep.equal(items(many));
    expect(items(3, 'kill')).to.deep.equal(items(many));
    expect(items(3, 'full disk')).to.deep.equal(items(many));
  });

  it('is verified with lines of which two files say other things, also while the larger of them comes in', () => {
    const line = lineOf('l', { references: ['B1'] });
    const filler = Array.from({ length: 4 }, (_, i) => lineOf(`x${i}`, { amount: decimal('7') }));
    const noted = { ...line, ownReferences: ['B1'] };
    const verified = () => verifyMatch(database, utcCalendar, USUAL_MATCH_SETTINGS);
    for (const [large, small] of [
      [noted, line],
      [line, noted],
    ] as const) {
      database.close();
      database = new Database(':memory:');
      createTables(database);
      createIndexes(database);
      const store = new ProjectionStore(database, utcCalendar, USUAL_MATCH_SETTINGS, USUAL_STEPS, {
        most: 3,
        atOnce: 2,
      });
      const files = [linesOfFile('large', [...filler, large]), linesOfFile('small', [small])];
      for (const [i, lines] of files.entries()) {
        const bank = [
          ...lines.map((it) => ({ _tag: 'Line' as const, line: it })),
          { _tag: 'Imported' as const, statement: fileOf(lines, i) },
        ];
        store.apply(i === 0 ? null : positionAt(i - 1), batchOf(i, { bank }));
        expect(verified()).to.deep.equal([]);
      }
      while (store.settle()) expect(verified()).to.deep.equal([]);
      expect(verified()).to.deep.equal([]);
      // Imported first, whichever comes into the match first.
      const shown = new Queries(database, 'UTC').matchItems({
        ...ALL,
        day: TODAY,
        after: null,
        limit: 1,
        lineId: line.lineId,
      });
      const from = shown.data.flatMap((item) => item.lines.map((it) => [it.statementId, it.index]));
      expect(from).to.deep.equal([[sha256('large'), filler.length]]);
      database.exec(`UPDATE match_evidence SET own = '["B1"]'`);
      expect(verified().map(({ problem }) => problem)).to.include('read-model-match-differs');
    }
  });
});
