import { chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { unopened } from '../../../src/read-models/sqlite/unopened.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const itAsRoot = process.geteuid?.() === 0 ? it : () => undefined;

describe('a generation of the read models that can’t be opened', () => {
  const refused = new Database.SqliteError('unable to open database file', 'SQLITE_CANTOPEN');
  let folder = temporaryFolder();
  beforeEach(() => {
    folder = temporaryFolder();
    writeFileSync(join(folder.path, 'g2'), '');
  });
  afterEach(() => folder.remove());
  const said = (error: unknown): string => String(unopened(error, join(folder.path, 'g2')));

  it('is named, with what to do', () => {
    expect(said(refused)).to.match(/g2 can't be opened \(unable to open database file\); see that the user/);
  });

  itAsRoot('has its owner named, where that is another', () => {
    chownSync(join(folder.path, 'g2'), 54_321, 54_321);
    expect(said(refused)).to.match(/belongs to another user \(uid 54321, the ledger runs as 0\): chown it to .*replay/);
  });

  it('is said nothing of where something else is wrong', () => {
    const busy = new Database.SqliteError('database is locked', 'SQLITE_BUSY');
    expect(unopened(busy, join(folder.path, 'g2'))).to.equal(busy);
  });
});
