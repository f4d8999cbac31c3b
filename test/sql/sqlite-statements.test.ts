import Database from 'better-sqlite3';
import { expect } from 'chai';
import * as t from 'io-ts';
import { SqliteStatements } from '../../src/sql/sqlite-statements.ts';
import { bytes, command, nullable, query } from '../../src/sql/statement.ts';

const row = { no: t.number, name: nullable(t.string), body: bytes };
const Row = t.type(row);
const COLUMNS = 'no, name, body';

const insert = command(`INSERT INTO things (${COLUMNS}) VALUES (:no, :name, :body)`, row);
const byNo = query(`SELECT ${COLUMNS} FROM things WHERE no = :no`, { no: t.number }, Row);
const all = query(`SELECT ${COLUMNS} FROM things ORDER BY no`, {}, Row);
const rename = command('UPDATE things SET name = :name WHERE no > :above', { name: t.string, above: t.number });

describe('statements on SQLite', () => {
  let database: Database.Database;
  let sql: SqliteStatements;

  beforeEach(() => {
    database = new Database(':memory:');
    database.exec('CREATE TABLE things (no INTEGER PRIMARY KEY, name TEXT, body BLOB)');
    sql = new SqliteStatements(database);
  });
  afterEach(() => database.close());

  it('take values by name and answer rows as they were written', () => {
    const [one, two] = [
      { no: 1, name: 'one', body: new Uint8Array([1]) },
      { no: 2, name: null, body: new Uint8Array() },
    ];
    expect([sql.run(insert, two), sql.run(insert, one)]).to.deep.equal([1, 1]);
    const read = ({ no, name, body }: t.TypeOf<typeof Row>) => ({ no, name, body: [...body] });
    const both = [one, two].map(read);
    expect(sql.all(all, {}).map(read)).to.deep.equal(both);
    expect([...sql.iterate(all, {})].map(read)).to.deep.equal(both);
    expect(read(sql.one(byNo, { no: 2 }))).to.deep.equal(both[1]);
    expect(sql.get(byNo, { no: 3 })).to.equal(undefined);
    expect(sql.run(rename, { name: 'many', above: 0 })).to.equal(2);
  });

  it('refuse a row of another kind, whichever way it is read', () => {
    database.exec("INSERT INTO things VALUES (1, 'one', 'text')");
    for (const asked of [
      () => sql.get(byNo, { no: 1 }),
      () => sql.one(byNo, { no: 1 }),
      () => sql.all(all, {}),
      () => [...sql.iterate(all, {})],
    ]) {
      expect(asked).to.throw('a row is not of the kind that was written');
    }
  });

  it('refuse no row where there must be one', () => {
    expect(() => sql.one(byNo, { no: 1 })).to.throw('a row is not of the kind that was written');
  });

  it('are not made where text and parameters differ', () => {
    expect(() => query('SELECT 1 WHERE :a = :b', { a: t.number }, t.unknown)).to.throw('the parameters are a,');
    expect(() => command('DELETE FROM things', { no: t.number })).to.throw('the parameters are no,');
    expect(() => command('DELETE FROM things WHERE no = :no', { name: t.number })).to.throw('the parameters are name,');
  });
});
