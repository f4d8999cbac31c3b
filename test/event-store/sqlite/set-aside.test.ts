import { existsSync, linkSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { openDatabase } from '../../../src/event-store/sqlite/open-database.ts';
import { setAside } from '../../../src/event-store/sqlite/set-aside.ts';
import { right } from '../../support/right.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('what is set aside', () => {
  let folder = '';
  const named = (name: string): string => join(folder, name);
  const file = (): string => named('events.db');
  const aside = (): string => named('aside.db');
  beforeEach(() => {
    folder = temporaryFolder().path;
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  /** A store whose last commits are in its write-ahead log alone, as a kill leaves it. */
  const killed = (): void => {
    const database = right(openDatabase(named('live.db')));
    database.exec('INSERT INTO probe (id) VALUES (1), (2), (3)');
    for (const suffix of ['', '-wal']) {
      writeFileSync(`${file()}${suffix}`, readFileSync(`${named('live.db')}${suffix}`));
    }
    database.close();
  };
  const rowsOf = (path: string): unknown => {
    const database = new Database(path, { readonly: true, fileMustExist: true });
    try {
      return database.prepare('SELECT count(*) FROM probe').pluck().get();
    } finally {
      database.close();
    }
  };

  it('is one file under both names, with all that was committed', () => {
    killed();
    right(setAside(file(), aside()));
    for (const suffix of ['-wal', '-shm', '-journal']) expect(existsSync(`${file()}${suffix}`), suffix).to.equal(false);
    expect([rowsOf(file()), rowsOf(aside())]).to.deep.equal([3, 3]);
  });

  it('may go on beside its second name where it was cut off, and no file with another one is written to', () => {
    killed();
    right(setAside(file(), `${file()}.set-aside-0123abcd`));
    right(openDatabase(file())).close();
    expect(openDatabase(`${file()}.set-aside-0123abcd`)).to.have.nested.property('left._tag', 'StoreMisplaced');
    linkSync(file(), aside());
    expect(openDatabase(file())).to.have.nested.property('left._tag', 'StoreMisplaced');
  });

  it('leaves its first name where it is while others read it', () => {
    killed();
    const reader = new Database(file(), { readonly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT * FROM probe').all();
    expect(setAside(file(), aside())).to.have.nested.property('left._tag', 'StoreInUse');
    reader.close();
    expect(existsSync(aside())).to.equal(false);
    expect(rowsOf(file())).to.equal(3);
  });

  it('keeps a damaged file and its log as they are, and the log from the file that follows', () => {
    killed();
    const [content, log] = [Buffer.alloc(8_192, 'damaged'), readFileSync(`${file()}-wal`)];
    writeFileSync(file(), content);
    // It can't be read either.
    log.fill(0, 32);
    writeFileSync(`${file()}-wal`, log);
    right(setAside(file(), aside()));
    expect([readFileSync(file()), readFileSync(aside())]).to.deep.equal([content, content]);
    expect(readFileSync(`${aside()}-wal`)).to.deep.equal(log);
    expect(existsSync(`${file()}-wal`)).to.equal(false);
  });

  it('is never taken for a new store by what is left beside it, also not through a link', () => {
    killed();
    rmSync(file());
    const log = readFileSync(`${file()}-wal`);
    symlinkSync(file(), named('link.db'));
    for (const name of [file(), named('link.db')]) {
      expect(openDatabase(name)).to.have.nested.property('left._tag', 'StoreUnusable');
    }
    writeFileSync(file(), '');
    expect(openDatabase(file()))
      .to.have.nested.property('left.detail')
      .that.matches(/not there or empty, and .*events\.db-wal holds what was/);
    expect(readFileSync(`${file()}-wal`)).to.deep.equal(log);
  });
});
