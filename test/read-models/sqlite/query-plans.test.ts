import Database from 'better-sqlite3';
import { expect } from 'chai';
import { businessCalendar } from '../../../src/domain/business-day.ts';
import { ProjectionStore } from '../../../src/read-models/sqlite/projection-store.ts';
import { Queries } from '../../../src/read-models/sqlite/queries.ts';
import { createIndexes, createTables } from '../../../src/read-models/sqlite/schema.ts';

/** Every statement that a generation is written and asked by. */
const statementsOf = (database: Database.Database): readonly string[] => {
  const statements = new Set<string>();
  const prepare = database.prepare.bind(database);
  Object.defineProperty(database, 'prepare', {
    configurable: true,
    value: (sql: string) => {
      statements.add(sql);
      return prepare(sql);
    },
  });
  expect(new ProjectionStore(database, businessCalendar('UTC')).checkpoint()).to.equal(null);
  expect(new Queries(database, 'UTC').checkpoint()).to.equal(null);
  Reflect.deleteProperty(database, 'prepare');
  return [...statements];
};

/** The facets are read as a whole to choose among them, the checkpoint is one row, and the last chunk the end of its table. */
const WHOLE = [/from "facets"$/, /from "checkpoint"$/, /from "audit_chunks" order by "first_position" desc limit 1$/];

describe('the statements of a generation', () => {
  const database = new Database(':memory:');
  createTables(database);
  createIndexes(database);
  const plans = statementsOf(database).map((sql) => ({
    sql,
    plan: database
      .prepare<unknown[], { readonly detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...Array.from({ length: sql.split('?').length - 1 }, () => 1))
      .map(({ detail }) => detail),
  }));

  it('are many', () => {
    expect(plans.length).to.be.above(25);
  });

  for (const { sql, plan } of plans) {
    it(`search by an index: ${sql}`, () => {
      const scans = plan.filter((step) => step.startsWith('SCAN'));
      if (WHOLE.some((whole) => whole.test(sql))) expect(scans).to.have.length(1);
      else expect(scans, plan.join('\n')).to.deep.equal([]);
      expect(plan.filter((step) => step.includes('TEMP B-TREE'))).to.deep.equal([]);
      if (/from "orders".*order by/.test(sql))
        expect(plan.join()).to.match(/USING (COVERING )?INDEX orders_by_\w+ \(.*created_at/);
    });
  }
});
