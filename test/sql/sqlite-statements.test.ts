import Database from 'better-sqlite3';
import { expect } from 'chai';
import * as t from 'io-ts';
import { SqliteStatements } from '../../src/sql/sqlite-statements.ts';
import { bytes, command, insertion, nullable, query, type SqlValue } from '../../src/sql/statement.ts';

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

  it('take many values for the names that they have, wherever and however often these stand', () => {
    const values = { name: 'one', above: 1, below: 9, body: new Uint8Array([7]) };
    const parameters = { body: bytes, below: t.number, name: t.string, above: t.number };
    const add = 'INSERT INTO things (no, name, body) VALUES (:below - :above, :name || :name, :body)';
    const change = 'UPDATE things SET body = :body WHERE no BETWEEN :above AND :below AND name = :name || :name';
    expect(sql.run(command(add, parameters), values)).to.equal(1);
    const changed = command(change, parameters);
    expect(sql.run(changed, { ...values, body: new Uint8Array([8]) })).to.equal(1);
    expect(sql.run(changed, { ...values, name: 'two' })).to.equal(0);
    expect(sql.all(all, {})).to.deep.equal([{ no: 8, name: 'oneone', body: Buffer.from([8]) }]);
  });

  it('put rows in their order, however many', () => {
    type Thing = readonly [no: number, name: string | Uint8Array | null, body: Uint8Array];
    const columns = ['no', 'name', 'body'] as const;
    const things = insertion<Thing>('things', columns, { texts: ['name'], conflicts: 'ON CONFLICT DO NOTHING' });
    let next = 1;
    for (const count of [0, 1, 2, 7, 31, 32, 33, 100]) {
      const rows = Array.from({ length: count }, (_, i): Thing => [next + i, `no. ${next + i}`, new Uint8Array([i])]);
      sql.put(things, rows);
      // What is there stays as it is.
      sql.put(
        things,
        rows.map(([no]): Thing => [no, null, new Uint8Array()]),
      );
      next += count;
    }
    sql.put(things, [[next, Buffer.from('as bytes'), new Uint8Array()]]);
    const written = database.prepare<[], SqlValue>('SELECT name FROM things ORDER BY rowid').pluck().all();
    expect(written).to.deep.equal([...Array.from({ length: next - 1 }, (_, i) => `no. ${i + 1}`), 'as bytes']);
  });

  it('put a row before those behind it, which find it there', () => {
    const columns = ['no', 'name', 'body'] as const;
    const newest = insertion<readonly [number, string, Uint8Array]>('things', columns, {
      conflicts: 'ON CONFLICT (no) DO UPDATE SET name = excluded.name',
    });
    for (const count of [2, 32, 33]) {
      sql.put(
        newest,
        Array.from({ length: count }, (_, i) => [1, `no. ${i + 1}`, new Uint8Array()] as const),
      );
      expect(sql.get(byNo, { no: 1 })?.name).to.equal(`no. ${count}`);
    }
  });

  it('put a row and answer its number, the next one where it has none', () => {
    const columns = ['no', 'name', 'body'] as const;
    const things = insertion<readonly [no: number | null, name: string, body: Uint8Array]>('things', columns);
    const put = (no: number | null, name: string): number => sql.putNumbered(things, [no, name, new Uint8Array()]);
    expect([put(null, 'one'), put(7, 'seven'), put(null, 'eight')]).to.deep.equal([1, 7, 8]);
    expect(sql.all(all, {}).map(({ no, name }) => [no, name])).to.deep.equal([
      [1, 'one'],
      [7, 'seven'],
      [8, 'eight'],
    ]);
  });

  it('put rows into a table in more than one way', () => {
    const columns = ['no', 'name', 'body'] as const;
    sql.put(insertion<readonly [number, string, Uint8Array]>('things', columns), [[1, 'first', new Uint8Array()]]);
    sql.put(
      insertion<readonly [number, string, Uint8Array]>('things', columns, {
        conflicts: 'ON CONFLICT (no) DO UPDATE SET name = excluded.name',
      }),
      [[1, 'again', new Uint8Array()]],
    );
    const written = database.prepare<[], SqlValue>('SELECT name FROM things').pluck().all();
    expect(written).to.deep.equal(['again']);
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
