import Database from 'better-sqlite3';
import { expect } from 'chai';
import * as fc from 'fast-check';
import type { AuditMark } from '../../../projections/audit-trail/index.ts';
import type { Position } from '../../../src/domain/ids.ts';
import { instantOf } from '../../../src/domain/instant.ts';
import { positionAt, positionNumber } from '../../../src/domain/position.ts';
import type { AuditFilter } from '../../../src/read-models/read-models.ts';
import { AuditTable } from '../../../src/read-models/sqlite/audit-table.ts';
import { createIndexes, createTables } from '../../../src/read-models/sqlite/schema.ts';

const EVENTS = 6_000;

/** Positions with gaps, types and receipts that come in long stretches, some of which are unknown. */
const mark = (i: number): AuditMark => ({
  position: positionAt(10 + 3 * i),
  type: i === 4_000 ? 'once' : `type ${Math.floor(i / 1_500)}`,
  receivedAt: i % 11 === 0 || (i > 2_048 && i < 4_096) ? null : instantOf(1_000 * (i - (i % 50))),
  terms: [],
});

const ALL = Array.from({ length: EVENTS }, (_, i) => mark(i));

const filters: fc.Arbitrary<AuditFilter> = fc.record({
  type: fc.option(fc.constantFrom('type 0', 'type 1', 'type 3', 'once', 'never'), { freq: 2 }),
  from: fc.option(fc.nat(7_000_000).map(instantOf), { freq: 2 }),
  to: fc.option(fc.nat(7_000_000).map(instantOf), { freq: 2 }),
});

const naive = ({ type, from, to }: AuditFilter): readonly AuditMark[] =>
  ALL.filter(
    (it) =>
      (type === null || it.type === type) &&
      (from === null || (it.receivedAt !== null && it.receivedAt >= from)) &&
      (to === null || (it.receivedAt !== null && it.receivedAt <= to)),
  );

const positionsOf = (marks: readonly AuditMark[]): readonly Position[] => marks.map(({ position }) => position);

describe('the table of the trail', () => {
  const database = new Database(':memory:');
  createTables(database);
  createIndexes(database);
  const table = new AuditTable(database);
  for (let [from, size] = [0, 1]; from < EVENTS; [from, size] = [from + size, (size * 7) % 1_000]) {
    table.add(ALL.slice(from, from + size));
    // It follows what is added, as it is asked meanwhile.
    table.find({ type: null, from: null, to: null }, -1, 1);
  }

  it('finds events by type and receipt behind any position', () => {
    fc.assert(
      fc.property(filters, fc.integer({ min: -1, max: 3 * EVENTS + 20 }), fc.nat(3_000), (filter, after, most) => {
        const behind = naive(filter).filter(({ position }) => positionNumber(position) > after);
        expect(table.find(filter, after, most)).to.deep.equal(positionsOf(behind.slice(0, most)));
      }),
      { numRuns: 60 },
    );
  });

  it('chooses among positions, each once', () => {
    const some = fc.array(fc.nat(EVENTS - 1), { maxLength: 60 }).map((places) => places.toSorted((a, b) => a - b));
    fc.assert(
      fc.property(filters, some, (filter, places) => {
        const fitting = new Set(positionsOf(naive(filter)));
        const positions = places.map((place) => positionNumber(mark(place).position));
        const expected = [...new Set(positions.map(positionAt))];
        expect([...table.among(positions, filter)]).to.deep.equal(expected.filter((position) => fitting.has(position)));
      }),
      { numRuns: 60 },
    );
  });
});
