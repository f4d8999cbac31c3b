import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { fileBytes } from '../../../src/cli/file-bytes.ts';
import { backUpLedger } from '../../../src/composition/commands/back-up.ts';
import { importPast } from '../../../src/composition/commands/import-past.ts';
import { outFault } from '../../../src/composition/commands/out-fault.ts';
import { restoreLedger } from '../../../src/composition/commands/restore.ts';
import { openServing } from '../../../src/event-store/sqlite/sqlite-event-store.ts';
import { gatheringTerminal } from '../../support/gathering-terminal.ts';
import { right } from '../../support/right.ts';
import { runHere } from '../../support/run-here.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const QUIET = () => undefined;

const endless = async function* (): AsyncGenerator<Uint8Array> {
  for (;;) yield Buffer.alloc(65_536);
};

describe('files that commands are given', () => {
  let folder = temporaryFolder();
  const at = (...names: readonly string[]): string => join(folder.path, ...names);
  const env = (name = 'data') => ({ DATA_DIR: at(name) });
  const { terminal } = gatheringTerminal();

  const lineOf = (ended: E.Either<{ readonly line: string }, unknown>): string =>
    E.isLeft(ended) ? ended.left.line : expect.fail('it did not fail');
  const backUp = (out: string) => backUpLedger(env(), terminal, out, QUIET);
  const restore = (from: string | null, input = terminal.input) =>
    restoreLedger(env('elsewhere'), { input }, { from, setAside: false });

  beforeEach(async () => {
    folder = temporaryFolder();
    const store = right(await openServing({ file: at('data', 'events.db'), dataDir: at('data') }));
    await store.close();
    writeFileSync(at('data', 'api-key'), `${'k'.repeat(43)}\n`, { mode: 0o600 });
  });
  afterEach(() => folder.remove());

  it('take the place of nothing that the ledger lives by, under whatever name it is reached', async () => {
    symlinkSync(at('data'), at('link'));
    const before = readFileSync(at('data', 'events.db'));
    for (const out of [at('data', 'events.db'), at('link', 'events.db'), `${at('data')}/../data/events.db`]) {
      expect(lineOf(await backUp(out)), out).to.match(/is the ledger's own/);
    }
    expect(readFileSync(at('data', 'events.db'))).to.deep.equal(before);
    mkdirSync(at('data', 'log-tree'));
    const names = [
      'api-key',
      'API-KEY',
      'events.db-wal',
      'read-models.db',
      'read-models.db-shm',
      'spool.db',
      'log-tree/0',
    ];
    for (const name of names) expect(outFault(env(), at('link', name)), name).to.match(/is the ledger's own/);
  });

  it('take the place of nothing that the ledger lives by outside of its data directory', () => {
    symlinkSync(at('data', 'events.db'), at('linked.db'));
    const elsewhere = {
      DATA_DIR: at('nothing'),
      EVENT_STORE_URL: `sqlite:${at('linked.db')}`,
      READ_MODEL_URL: `sqlite:${at('models')}`,
      API_KEYS_FILE: at('keys'),
    };
    writeFileSync(at('keys'), `own:admin=${'k'.repeat(43)}`, { mode: 0o600 });
    const generations = ['models', 'models-wal', 'models.g7', 'models.g7-wal', 'models.g7-shm', 'models.build-lock'];
    for (const name of [
      ...generations,
      'linked.db',
      'linked.db.lock',
      'data/events.db',
      'data/events.db-wal',
      'keys',
    ]) {
      expect(outFault(elsewhere, at(name)), name).to.match(/is the ledger's own/);
    }
    for (const name of ['models.csv', 'models.g7.csv', 'events.db.bak', 'keys.csv']) {
      expect(outFault(elsewhere, at(name)), name).to.equal(null);
    }
  });

  it('may be where none of it is, in the data directory too, and in the place of what a command wrote there before', async () => {
    for (const folder of [at('data'), at()]) {
      for (let time = 1; time <= 2; time += 1) {
        for (const args of [
          ['export', 'orders', '--out', join(folder, 'orders.csv')],
          ['backup', '--out', join(folder, 'backup.db')],
        ]) {
          const { status, err } = await runHere(args, env());
          expect([status, err], `${args.join(' ')}, time ${time}`).to.deep.equal([0, '']);
        }
      }
      // An export that was cut off leaves the file alone.
      rmSync(join(folder, 'orders.csv.manifest.json'));
      expect(outFault(env(), join(folder, 'orders.csv'))).to.equal(null);
    }
  });

  it('are written in the place of no device, pipe or folder', async () => {
    execFileSync('mkfifo', [at('pipe')]);
    for (const out of ['/dev/null', at('pipe'), at('data')]) {
      expect(lineOf(await backUp(out)), out).to.match(/is there, and is no file$/);
    }
    expect(readdirSync(folder.path).toSorted()).to.deep.equal(['data', 'pipe']);
  });

  it('are not written where a bank file is there and can not be read, which is then named', async () => {
    const file = at('data', 'statements', 'a'.repeat(64));
    mkdirSync(file, { recursive: true });
    expect(lineOf(await backUp(at('copy.db')))).to.equal(`${file} can't be read (it is a folder, EISDIR)`);
    expect(readdirSync(folder.path)).to.deep.equal(['data']);
  });

  it('are refused in one line where the machine knows no such name', async () => {
    symlinkSync(at('circle'), at('circle'));
    const words = [
      [at('x'.repeat(256)), /can't be (?:read|written) \(its name is too long, ENAMETOOLONG\)$/],
      [at('circle'), /can't be (?:read|written) \(links lead around in a circle, ELOOP\)$/],
    ] as const;
    for (const [file, line] of words) {
      expect(lineOf(await backUp(file))).to.match(line);
      expect(lineOf(await restore(file))).to.match(line);
      expect(lineOf(fileBytes(file, 10))).to.match(line);
      expect(lineOf(await importPast(env(), terminal, file, QUIET))).to.match(line);
      for (const args of [
        ['export', 'orders', '--format', 'csv', '--out', file],
        ['restore', file],
      ]) {
        const { status, out, err } = await runHere(args, env());
        expect({ status, out }, args.join(' ')).to.deep.equal({ status: 1, out: '' });
        expect(err).to.match(/^ramp-ledger: [^\n]+\n$/);
      }
    }
  });

  it('are read to an end that is known before, or refused', async () => {
    for (const device of ['/dev/zero', '/dev/null']) {
      expect(lineOf(fileBytes(device, 10)), device).to.equal(`${device} is no file`);
      expect(lineOf(await restore(device)), device).to.equal(`${device} is no file`);
      expect(lineOf(await importPast(env(), terminal, device, QUIET)), device).to.equal(`${device} is no file`);
    }
    writeFileSync(at('eleven'), '12345678901');
    expect(right(fileBytes(at('eleven'), 11)).toString()).to.equal('12345678901');
    expect(lineOf(fileBytes(at('eleven'), 10))).to.match(/eleven has more than 10 bytes$/);
    expect(lineOf(fileBytes(at('data'), 10))).to.match(/is a folder$/);
  });

  it('are no backup that has no beginning', async () => {
    for (const short of ['', 'SQLite for']) {
      writeFileSync(at('short.db'), short);
      expect(lineOf(await restore(at('short.db'))), short).to.match(/backup can't be used: it is damaged, or was not/);
    }
    expect(readdirSync(at('elsewhere')).filter((name) => !name.endsWith('.lock'))).to.deep.equal([]);
  });

  it('are no backup that has no end, whatever it comes along', async () => {
    expect(lineOf(await restore(null, endless))).to.match(/backup can't be used: it is damaged/);
    expect(readdirSync(at('elsewhere')).filter((name) => name.endsWith('.part'))).to.deep.equal([]);
  });

  it('are no backup in which something acts by itself on what is appended', async () => {
    expect(await backUp(at('copy.db'))).to.satisfy(E.isRight);
    const planted = new Database(at('copy.db'));
    planted.exec('CREATE TRIGGER planted AFTER INSERT ON events BEGIN DELETE FROM streams; END');
    planted.close();
    expect(lineOf(await restore(at('copy.db')))).to.match(/backup can't be used.*planted/);
    const other = new Database(at('copy.db'));
    other.exec('DROP TRIGGER planted');
    other.close();
    expect(await restore(at('copy.db'))).to.satisfy(E.isRight);
  });

  it('are no backup whose tables would lose what is appended, and is answered', async () => {
    expect(await backUp(at('copy.db'))).to.satisfy(E.isRight);
    const table = 'SELECT sql FROM sqlite_schema WHERE name = ?';
    const losing: readonly (readonly [string, (sql: string) => string])[] = [
      ['events', (sql) => sql.replace('raw_body BLOB', 'raw_body BLOB, UNIQUE (recorded_at) ON CONFLICT IGNORE')],
      ['events', (sql) => sql.replace('raw_body BLOB', 'raw_body BLOB, UNIQUE (type) ON CONFLICT REPLACE')],
      ['events', (sql) => sql.replace('id TEXT NOT NULL', "id TEXT NOT NULL CHECK (type NOT LIKE '%Completed')")],
      ['streams', (sql) => sql.replace('name TEXT NOT NULL', 'name TEXT NOT NULL UNIQUE ON CONFLICT REPLACE')],
    ];
    for (const [name, changed] of losing) {
      copyFileSync(at('copy.db'), at('changed.db'));
      const planted = new Database(at('changed.db'));
      const sql = String(planted.prepare<[string], string>(table).pluck().get(name));
      expect(changed(sql)).to.not.equal(sql);
      planted.exec(
        `ALTER TABLE ${name} RENAME TO before_it; ${changed(sql)}; INSERT OR IGNORE INTO ${name} SELECT * FROM before_it; DROP TABLE before_it;`,
      );
      planted.close();
      expect(lineOf(await restore(at('changed.db')))).to.match(/backup can't be used.* has (?:events|streams) in it/);
    }
    const indexed = new Database(at('copy.db'));
    indexed.exec('CREATE UNIQUE INDEX planted ON events (recorded_at)');
    indexed.close();
    expect(lineOf(await restore(at('copy.db')))).to.match(/has planted in it, a table or an index/);
  });
});
