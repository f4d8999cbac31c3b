import Database from 'better-sqlite3';
import { expect } from 'chai';
import { termStatements } from '../../../src/read-models/sqlite/terms/term-statements.ts';
import { createIndexes, createTables } from '../../../src/read-models/sqlite/schema.ts';
import { auditStatements } from '../../../src/read-models/statements/audit-statements.ts';
import { cellStatements } from '../../../src/read-models/statements/cell-statements.ts';
import { facetStatements } from '../../../src/read-models/statements/facet-statements.ts';
import { generationStatements } from '../../../src/read-models/statements/generation-statements.ts';
import { orderStatements } from '../../../src/read-models/statements/order-statements.ts';
import { quarantineStatements } from '../../../src/read-models/statements/quarantine-statements.ts';
import { settledDayStatements } from '../../../src/read-models/statements/settled-day-statements.ts';
import { stepStatements } from '../../../src/read-models/statements/step-statements.ts';

/** Every statement that a generation is written, asked and verified by, under its name. */
const READ_MODELS: Readonly<Record<string, Readonly<Record<string, { readonly text: string }>>>> = {
  audit: auditStatements,
  cell: cellStatements,
  facet: facetStatements,
  generation: generationStatements,
  order: orderStatements,
  quarantine: quarantineStatements,
  settledDay: settledDayStatements,
  step: stepStatements,
  term: termStatements,
};

const STATEMENTS = Object.entries(READ_MODELS).flatMap(([of, statements]) =>
  Object.entries(statements).map(([name, { text }]) => ({ name: `${of}.${name}`, text })),
);

/** Read whole: by `verify`, where two steps are joined, or since they are few (classes, runs of terms, one row of a mark or checkpoint). */
const WHOLE =
  /^(?:\w+\.all\w*|term\.runs|generation\.(?:mark|checkpoint|last|included|complete)|step\.(?:ofStep|removeCells))$/;

describe('the statements of a generation', () => {
  const database = new Database(':memory:');
  createTables(database);
  createIndexes(database);
  const plans = STATEMENTS.map(({ name, text }) => {
    const names = [...text.matchAll(/:(\w+)/g)].map(([, parameter]) => [parameter, 1]);
    const steps = database
      .prepare<unknown[], { readonly detail: string }>(`EXPLAIN QUERY PLAN ${text}`)
      .all(Object.fromEntries(names));
    return { name, text, plan: steps.map(({ detail }) => detail) };
  });

  it('are many', () => {
    expect(plans.length).to.be.above(40);
  });

  for (const { name, text, plan } of plans) {
    it(`search by an index: ${name}`, () => {
      // An array that is handed in is no table, nor is what another step of the plan has found.
      const scans = plan.filter((step) => /^SCAN (?!json_each|\(subquery-\d+\))/.test(step));
      // The last of an ordered table is its end.
      if (!WHOLE.test(name) && !/ORDER BY \w+ DESC LIMIT 1$/.test(text))
        expect(scans, plan.join('\n')).to.deep.equal([]);
      expect(plan.filter((step) => step.includes('TEMP B-TREE'))).to.deep.equal([]);
      if (/FROM orders.*ORDER BY created_at/.test(text))
        expect(plan.join()).to.match(/USING (COVERING )?INDEX orders_by_\w+ \(.*created_at/);
    });

    it(`are read by other engines as well: ${name}`, () => {
      expect(text).not.to.match(/\?|INSERT OR|REPLACE INTO|rowid|PRAGMA/i);
    });
  }
});
