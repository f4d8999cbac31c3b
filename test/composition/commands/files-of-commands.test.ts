import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
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
    for (const name of ['api-key', 'events.db-wal', 'read-models.db', 'read-models.db-shm']) {
      expect(outFault(env(), at('link', name)), name).to.match(/is the ledger's own/);
    }
  });

  it('may be where none of it is, an earlier one of its own and beside the data directory too', async () => {
    expect(await backUp(at('copy.db'))).to.satisfy(E.isRight);
    expect(await backUp(at('copy.db'))).to.satisfy(E.isRight);
    expect(outFault(env(), at('data', 'orders.csv'))).to.equal(null);
    for (const name of ['orders.csv', 'orders.csv.manifest.json']) writeFileSync(at('data', name), '');
    expect(outFault(env(), at('data', 'orders.csv'))).to.equal(null);
  });

  it('are written in the place of no device, pipe or folder', async () => {
    execFileSync('mkfifo', [at('pipe')]);
    for (const out of ['/dev/null', at('pipe'), at('data')]) {
      expect(lineOf(await backUp(out)), out).to.match(/is there, and is no file$/);
    }
    expect(readdirSync(folder.path).toSorted()).to.deep.equal(['data', 'pipe']);
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
});
