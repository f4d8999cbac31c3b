import Database from 'better-sqlite3';
import { expect } from 'chai';
import type { LineSearch } from '../../../src/read-models/line-search.ts';
import { decimal } from '../../projections/match/match-scene.ts';
import { lineOf, orderState } from '../../support/match-batches.ts';
import { ALL, allItems, played, TODAY, type Step } from './match-steps.ts';

const MANY = 60;
const PAGE = 10;
/** A name, which is all that the bank says of its lines, and a reference that is told. */
const [NAME, WRONG_NAME, TOLD] = ['Meera Iyer', 'Meera Ayer', 'INV-7'];

const linesWith = (reference: string, text: string): readonly Step[] =>
  Array.from({ length: MANY }, (_, i) => {
    const amount = decimal(String(i + 1));
    return { kind: 'line', line: lineOf(`${reference} ${i}`, { references: [reference], text, amount }) };
  });

describe('a search for bank lines', () => {
  let database: Database.Database;
  let queries: ReturnType<typeof played>;
  /** Statements of SQL that were made of late. */
  let made: string[];

  before(() => {
    made = [];
    database = new Database(':memory:', { verbose: (sql) => made.push(String(sql)) });
    const order: Step = { kind: 'order', state: orderState('o1', 'PayoutSuccess', 'U1', 100) };
    queries = played([order, ...linesWith(NAME, NAME), ...linesWith(TOLD, 'paid')], database);
  });
  after(() => database.close());

  const statementsOf = (work: () => void): readonly string[] => {
    made = [];
    work();
    return made;
  };
  const pageOf = (search: LineSearch) =>
    queries.matchItems({ ...ALL, search, day: TODAY, after: null, limit: PAGE, mostOfEach: PAGE });
  const found = (search: LineSearch): number => allItems(queries, PAGE, { search }).length;

  it('finds lines by a reference that whoever asks is told, and by no other', () => {
    expect(found({ reference: NAME, personal: true })).to.equal(MANY);
    expect(found({ reference: NAME, personal: false })).to.equal(0);
    for (const personal of [true, false]) expect(found({ reference: TOLD, personal })).to.equal(MANY);
  });

  it('reads as much for a right guess of a reference that is not told as for a wrong one', () => {
    const read = (reference: string): readonly string[] =>
      statementsOf(() => pageOf({ reference, personal: false })).map((sql) => sql.replaceAll(/'[^']*'|\d+/g, '?'));
    // What an index keeps in memory is there then.
    read(WRONG_NAME);
    expect(read(NAME)).to.deep.equal(read(WRONG_NAME));
  });

  it('reads an item where a page comes to it, and looks ahead by one', () => {
    const bodies = (work: () => void): number =>
      statementsOf(work).filter((sql) => sql.includes('body FROM match_items')).length;
    for (const personal of [true, false]) {
      const search = { reference: TOLD, personal };
      expect(bodies(() => pageOf(search))).to.equal(PAGE + 1);
      expect(bodies(() => found(search))).to.equal(MANY + MANY / PAGE - 1);
    }
  });
});
