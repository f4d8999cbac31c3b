import Database from 'better-sqlite3';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { facetKey, measuresGroup, type Basis, type Facet } from '../../../../projections/report/index.ts';
import { branded } from '../../../../src/domain/brand.ts';
import type { BusinessDay } from '../../../../src/domain/business-day.ts';
import type { Decimal } from '../../../../src/domain/decimal.ts';
import { exactOf } from '../../../../src/domain/exact.ts';
import { positionAt } from '../../../../src/domain/position.ts';
import { CellSums } from '../../../../src/read-models/cell-sums.ts';
import type { ReportQuestion } from '../../../../src/read-models/read-models.ts';
import { REPORTS } from '../../../../src/read-models/reports.ts';
import { CellTable } from '../../../../src/read-models/sqlite/reports/cell-table.ts';
import { DayRows } from '../../../../src/read-models/sqlite/reports/day-rows.ts';
import { FacetTable } from '../../../../src/read-models/sqlite/reports/facet-table.ts';
import { ReportQuery } from '../../../../src/read-models/sqlite/reports/report-query.ts';
import { createIndexes, createTables } from '../../../../src/read-models/sqlite/schema.ts';
import { StepTable } from '../../../../src/read-models/sqlite/reports/step-table.ts';
import { there } from '../../../support/sqlite-read-models.ts';

const facet = (status: 'completed' | 'expired', currency: string): Facet => ({
  flow: 'onramp',
  status,
  phase: status === 'completed' ? 'settled' : 'expired',
  currency,
  symbol: 'USDT',
  address: '0xa',
  chainId: branded<Decimal>('1'),
  lasting: [],
  clock: null,
});

const FACETS = [facet('completed', 'INR'), facet('completed', 'EUR'), facet('expired', 'INR')] as const;
const DAYS = ['2026-01-30', '2026-01-31', '2026-02-01', '2026-03-05'].map((day) => branded<BusinessDay>(day));

/** What is added, or taken out again, between two questions. */
const changes = fc.array(
  fc.record({
    changed: fc.array(
      fc.record({
        facet: fc.constantFrom(...FACETS),
        day: fc.constantFrom(...DAYS),
        basis: fc.constantFrom<Basis>('created', 'settled'),
        fiat: fc.constantFrom('0', '1', '2.50', '1051823.6300000001'),
        isTakenOut: fc.boolean(),
      }),
      { maxLength: 6 },
    ),
    isAsked: fc.boolean(),
  }),
  { maxLength: 14 },
);

const QUESTIONS: readonly ReportQuestion[] = (['created', 'settled'] as const).flatMap((basis) =>
  [
    { from: null, to: null },
    { from: branded<BusinessDay>('2026-01-31'), to: branded<BusinessDay>('2026-02-28') },
  ].flatMap((days) =>
    [['day'] as const, ['day', 'token', 'chain'] as const].map((groupBy): ReportQuestion => ({
      flow: 'onramp',
      basis,
      ...days,
      groupBy,
    })),
  ),
);

/** Steps of two batches, of which three are left as they are: most are joined. */
const SHORT_STEPS = { events: 2, most: 3 };

describe('reports by day', () => {
  it('say the same as their cells do, whatever changed since they were asked for last', () => {
    fc.assert(
      fc.property(changes, (batches) => {
        const database = new Database(':memory:');
        createTables(database);
        createIndexes(database);
        const [cells, facets, reports] = [new CellTable(database), new FacetTable(database), new ReportQuery(database)];
        const steps = new StepTable(database, SHORT_STEPS);
        const few = new DayRows(database, facets, { days: 2, rows: 3 });
        for (const [i, { changed: batch, isAsked }] of batches.entries()) {
          const step = steps.advance(positionAt(i), 1);
          const sums = new CellSums();
          for (const { facet: of, day, basis, fiat, isTakenOut } of batch) {
            const asked = exactOf(branded<Decimal>(fiat));
            const measures = { ...measuresGroup.empty, orders: 1, fiat: asked, tokenAmount: asked };
            const cell = { basis, day, facet: of, measures };
            if (isTakenOut) sums.remove(facetKey(of), [cell]);
            else sums.add(facetKey(of), [cell]);
          }
          for (const sum of sums.take()) {
            const facetId = facets.idOfKey(sum.facetKey);
            cells.add(sum, 'onramp', facetId);
            const { basis, grain, period, measures } = sum;
            const cell = { flow: 'onramp', basis, step, day: period, facet: facetId };
            if (grain === 'day') steps.add(cell, measures);
          }
          // What is asked seldom is behind by steps, some of which were joined since.
          for (const question of isAsked ? QUESTIONS : []) {
            const expected = REPORTS.onramp.report(question.groupBy, reports.cells(question));
            expect(reports.report(question), JSON.stringify(question)).to.deep.equal(expected);
            const rows = few.of(question, question.from ?? '', question.to ?? '~');
            expect(rows, JSON.stringify(question)).to.deep.equal(expected.rows);
          }
        }
        database.close();
      }),
    );
  });

  it('forget what a step has taken back since, which leaves nothing in the step', () => {
    const database = new Database(':memory:');
    createTables(database);
    createIndexes(database);
    const [cells, facets, steps] = [new CellTable(database), new FacetTable(database), new StepTable(database)];
    const [[of], [day]] = [FACETS, DAYS];
    const question = { flow: 'onramp', basis: 'created', from: null, to: null, groupBy: ['day'] } as const;
    const reports = new ReportQuery(database);
    const changed = [
      { ...measuresGroup.empty, orders: 1 },
      measuresGroup.inverse({ ...measuresGroup.empty, orders: 1 }),
    ];
    const rows = changed.map((measures, i) => {
      const [step, facetId] = [steps.advance(positionAt(i), 1), facets.idOf(of)];
      cells.add(
        { basis: 'created', grain: 'day', period: there(day), facetKey: facetKey(of), measures },
        'onramp',
        facetId,
      );
      steps.add({ flow: 'onramp', basis: 'created', step, day: there(day), facet: facetId }, measures);
      return reports.report(question).rows.length;
    });
    expect(rows).to.deep.equal([1, 0]);
    database.close();
  });

  for (const [what, most] of [
    ['days', { days: 2, rows: 100 }],
    ['rows', { days: 100, rows: 4 }],
  ] as const) {
    it(`are kept of the ${what} that were asked for last, and no more than so many`, () => {
      const database = new Database(':memory:');
      createTables(database);
      createIndexes(database);
      const [cells, facets] = [new CellTable(database), new FacetTable(database)];
      const sums = new CellSums();
      for (const day of DAYS)
        for (const of of FACETS.slice(0, 2)) {
          const cell = { basis: 'created', day, facet: of, measures: { ...measuresGroup.empty, orders: 1 } } as const;
          sums.add(facetKey(of), [cell]);
        }
      for (const sum of sums.take()) cells.add(sum, 'onramp', facets.idOfKey(sum.facetKey));
      const rows = new DayRows(database, facets, most);
      const ask = (i: number) => {
        const day = DAYS[i] ?? expect.fail('no such day');
        const groupBy = ['day', 'currency'] as const;
        return rows.of({ flow: 'onramp', basis: 'created', from: day, to: day, groupBy }, day, day);
      };
      const [first, second] = [ask(0), ask(1)];
      expect([first.length, second.length]).to.deep.equal([2, 2]);
      for (let time = 0; time < 5; time += 1) {
        expect(ask(0)[0]).to.equal(first[0]);
        expect(ask(1)[0]).to.equal(second[0]);
      }
      ask(2);
      expect(ask(1)[0]).to.equal(second[0]);
      expect(ask(0)[0]).not.to.equal(first[0]);
      database.close();
    });
  }
});
