import { copyFileSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { OwnPages } from '../../src/event-store/own-pages.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('the pages of a database in use', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let open: (() => void)[];
  beforeEach(() => {
    folder = temporaryFolder();
    open = [];
  });
  afterEach(() => {
    for (const close of open) close();
    folder.remove();
  });

  const opened = (name: string): Database.Database => {
    const database = new Database(`${folder.path}/${name}`);
    open.push(() => database.close());
    database.pragma('journal_mode = WAL');
    database.exec('CREATE TABLE IF NOT EXISTS rows (id INTEGER PRIMARY KEY, body TEXT)');
    return database;
  };

  /** A database with its pages looked at, to which rows are written as a ledger would. */
  const watched = () => {
    const database = opened('events.db');
    const file = database.name;
    const pages = new OwnPages(database);
    open.push(() => pages.close());
    const write = (bytes: number): void => {
      database.prepare('INSERT INTO rows (body) VALUES (?)').run('x'.repeat(bytes));
      pages.wrote();
    };
    return { database, file, pages, write };
  };

  /** The file of another ledger, which is so large. */
  const otherFile = (rows: number): Buffer => {
    const other = opened(`other-${rows}.db`);
    for (let row = 0; row < rows; row += 1) other.prepare('INSERT INTO rows (body) VALUES (?)').run('y'.repeat(3_000));
    other.pragma('wal_checkpoint(TRUNCATE)');
    return readFileSync(other.name);
  };

  for (const [what, isInFile] of [
    ['all of the log is in the file', true],
    ['some of it is in the log alone', false],
  ] as const) {
    it(`are no longer its own where a larger file was written over it while ${what}, though nothing is written`, () => {
      const { database, file, pages, write } = watched();
      for (let row = 0; row < 20; row += 1) write(1_000);
      database.pragma('wal_checkpoint');
      expect(pages.damage()).to.equal(null);
      if (!isInFile) {
        write(100);
        expect(pages.damage()).to.equal(null);
      }
      const other = otherFile(400);
      expect(other.length).to.be.greaterThan(statSync(file).size);
      writeFileSync(file, other, { flag: 'r+' });
      expect(pages.damage()).to.include(file).and.to.include('was overwritten');
    });

    it(`are no longer its own where that was done before a commit that takes the log into the file, while ${what}`, () => {
      const { database, file, pages, write } = watched();
      for (let row = 0; row < 400; row += 1) write(1_000);
      database.pragma('wal_checkpoint');
      expect(pages.damage()).to.equal(null);
      if (!isInFile) {
        write(100);
        expect(pages.damage()).to.equal(null);
      }
      writeFileSync(file, otherFile(400), { flag: 'r+' });
      database.pragma('wal_autocheckpoint = 1');
      write(100);
      expect(pages.damage()).to.include('was overwritten');
    });
  }

  it('are no longer its own where an older copy of as many pages was written over it', () => {
    const { database, file, pages, write } = watched();
    for (let row = 0; row < 20; row += 1) write(1_000);
    database.pragma('wal_checkpoint');
    copyFileSync(file, `${file}-older`);
    write(10);
    database.pragma('wal_checkpoint');
    expect(pages.damage()).to.equal(null);
    expect(statSync(file).size).to.equal(statSync(`${file}-older`).size);
    copyFileSync(`${file}-older`, file);
    expect(pages.damage()).to.include('was overwritten');
  });

  it('are its own where only the times of the file change, or the same is written over it', () => {
    const { database, file, pages, write } = watched();
    for (let row = 0; row < 20; row += 1) write(1_000);
    database.pragma('wal_checkpoint');
    expect(pages.damage()).to.equal(null);
    utimesSync(file, 1, 1);
    expect(pages.damage()).to.equal(null);
    write(10);
    expect(pages.damage()).to.equal(null);
    writeFileSync(file, readFileSync(file), { flag: 'r+' });
    expect(pages.damage()).to.equal(null);
  });

  it('are its own whatever is written, read, and taken into the file by this program or another one', () => {
    const deed = fc.oneof(
      fc.record({ do: fc.constant('write' as const), bytes: fc.integer({ min: 1, max: 60_000 }) }),
      fc.record({ do: fc.constant('write' as const), bytes: fc.integer({ min: 1, max: 500 }) }),
      fc.record({ do: fc.constantFrom('look' as const, 'read' as const, 'readNoMore' as const, 'back up' as const) }),
      fc.record({
        do: fc.constant('take in' as const),
        mode: fc.constantFrom('PASSIVE', 'FULL', 'RESTART', 'TRUNCATE'),
        byOther: fc.boolean(),
      }),
    );
    fc.assert(
      fc.property(fc.array(deed, { maxLength: 80 }), fc.constantFrom(1, 8, 100), (deeds, pagesBetween) => {
        const name = `healthy-${open.length}.db`;
        const database = opened(name);
        database.pragma(`wal_autocheckpoint = ${pagesBetween}`);
        const [other, reader] = [opened(name), opened(name)];
        for (const one of [other, reader]) one.pragma('busy_timeout = 0');
        const pages = new OwnPages(database);
        open.push(() => pages.close());
        for (const one of deeds) {
          if (one.do === 'write') {
            database.prepare('INSERT INTO rows (body) VALUES (?)').run('x'.repeat(one.bytes));
            pages.wrote();
            expect(pages.damage()).to.equal(null);
          } else if (one.do === 'take in') (one.byOther ? other : database).pragma(`wal_checkpoint(${one.mode})`);
          else if (one.do === 'look') expect(pages.damage()).to.equal(null);
          else if (one.do === 'back up') other.exec(`VACUUM INTO '${folder.path}/${name}-${Math.random()}'`);
          else if (one.do === 'read' && !reader.inTransaction) reader.exec('BEGIN; SELECT count(*) FROM rows;');
          else if (one.do === 'readNoMore' && reader.inTransaction) reader.exec('COMMIT');
        }
        expect(pages.damage()).to.equal(null);
      }),
      { numRuns: 60 },
    );
  }).timeout(120_000);
});
