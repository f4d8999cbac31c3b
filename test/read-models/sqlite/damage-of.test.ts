import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { damageIn, damageOf, unreadWords } from '../../../src/read-models/sqlite/damage-of.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('what is said of read models that can not be read', () => {
  const folder = temporaryFolder();
  after(() => folder.remove());

  it('is that there is no room, where that is why, and not to make them anew, which takes room too', () => {
    for (const code of ['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE']) {
      const words = unreadWords('models.db', new Database.SqliteError('disk I/O error', code));
      expect(words).to.equal(
        "models.db can't be read (disk I/O error); there is no room on its disk: make room, and ask again",
      );
    }
  });

  it('is to make them anew, where their pages are spoiled', () => {
    const damaged = new Database.SqliteError('database disk image is malformed', 'SQLITE_CORRUPT');
    expect(unreadWords('models.db', damaged)).to.match(/malformed\); "ramp-ledger replay" makes the read models anew$/);
    const file = join(folder.path, 'models.db');
    writeFileSync(file, 'no database at all'.repeat(100));
    expect(damageIn(file)).to.equal('file is not a database');
    expect(damageOf(file)).to.match(/models\.db can't be used \(file is not a database\)/);
  });
});
