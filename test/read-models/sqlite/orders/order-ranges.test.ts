import Database from 'better-sqlite3';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { businessCalendar } from '../../../../src/domain/business-day.ts';
import { instantOf } from '../../../../src/domain/instant.ts';
import type { ListedRow, RowSource } from '../../../../src/read-models/newest-first.ts';
import { sortable } from '../../../../src/read-models/order-row.ts';
import { OrderRanges, type DateRange } from '../../../../src/read-models/sqlite/orders/order-ranges.ts';
import { OrderSources } from '../../../../src/read-models/sqlite/orders/order-sources.ts';
import { createIndexes, createTables } from '../../../../src/read-models/sqlite/schema.ts';
import { EVERY_ORDER } from '../../../../src/read-models/order-filter.ts';

/** Its midnight of 2006-10-29 came twice, so that an hour within the bounds of that Sunday is Saturday. */
const CALENDAR = businessCalendar('America/St_Johns');
const SUNDAY = CALENDAR.dayOf(instantOf(Date.UTC(2006, 9, 29, 12)));
const FROM = Date.UTC(2006, 9, 29, 2, 20);
const MINUTE = 60_000;
const FACETS = [1, 2, 3, 4, 5];

/** In which facet each order is, a minute or none behind the one before it. */
type Orders = readonly { readonly facet: number; readonly minutes: number }[];

const openWith = (orders: Orders, statements: string[] = []): Database.Database => {
  const database = new Database(':memory:', { verbose: (text) => statements.push(String(text)) });
  createTables(database);
  createIndexes(database);
  const insert = database.prepare(
    `INSERT INTO orders (order_id, facet, created_at, created_day, state) VALUES (?, ?, ?, '', '')`,
  );
  let at = FROM;
  for (const [i, { facet, minutes }] of orders.entries()) {
    at += minutes * MINUTE;
    // Ids with what JSON writes otherwise, and in no order of creation.
    insert.run(`"${(i * 7) % 10}\\${i}`, facet, sortable(instantOf(at)));
  }
  statements.length = 0;
  return database;
};

const orders: fc.Arbitrary<Orders> = fc.array(
  fc.record({ facet: fc.constantFrom(...FACETS), minutes: fc.nat({ max: 3 }) }),
  { maxLength: 60, size: 'max' },
);

const asked = fc.uniqueArray(
  fc.record({ facet: fc.constantFrom(...FACETS, 6), most: fc.integer({ min: 1, max: 12 }) }),
  {
    selector: ({ facet }) => facet,
  },
);

describe('ranges of orders of many classes', () => {
  it('are what those of each class are, from any place and however many are asked for', () => {
    fc.assert(
      fc.property(
        orders,
        asked,
        fc.boolean(),
        fc.option(fc.nat({ max: 59 })),
        fc.integer({ min: 1, max: 20 }),
        (given, facets, isOfSunday, at, most) => {
          const database = openWith(given);
          const ranges = new OrderRanges(database, CALENDAR);
          const range: DateRange | null = isOfSunday
            ? new OrderSources(CALENDAR, ranges).range({ ...EVERY_ORDER, from: SUNDAY, to: SUNDAY })
            : null;
          const all = ranges.created(null, null)(null, 100);
          const place = at === null ? null : (all[at] ?? null);
          const together = ranges.ofFacets(facets, range, place);
          for (const { facet, most: first } of facets) {
            const source = together.get(facet) ?? expect.fail('no rows of a facet');
            const alone = ranges.ofFacet(facet, range);
            const agree = (after: ListedRow | null, count: number): void => {
              expect(source(after, count)).to.deep.equal(alone(after, count));
            };
            agree(place, first);
            agree(place, most);
            agree(all[5] ?? null, most);
            agree(null, most);
          }
          database.close();
        },
      ),
      { numRuns: 60 },
    );
  });

  it('are begun by a statement for each number of rows, not for each class', () => {
    const statements: string[] = [];
    const given = Array.from({ length: 50 }, (_, i) => ({ facet: FACETS[i % 5] ?? 1, minutes: 1 }));
    const ranges = new OrderRanges(openWith(given, statements), CALENDAR);
    const facets = FACETS.map((facet) => ({ facet, most: facet === 1 ? 7 : 3 }));
    const together: ReadonlyMap<number, RowSource> = ranges.ofFacets(facets, null, null);
    for (const { facet, most } of facets) expect(together.get(facet)?.(null, most)).to.have.lengthOf(most);
    expect(statements).to.have.lengthOf(2);
  });
});
