import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { refusedByMachine } from '../../src/cli/refused-by-machine.ts';

const thrownBy = (what: () => unknown): unknown => {
  try {
    what();
  } catch (error) {
    return error;
  }
  return expect.fail('nothing was thrown');
};

describe('what the machine refuses', () => {
  it('is named where it is room, and what to do about it', () => {
    const full = new Database.SqliteError('disk I/O error', 'SQLITE_IOERR_SHMSIZE');
    expect(refusedByMachine(full)).to.match(/^disk I\/O error \(SQLITE_IOERR_SHMSIZE\); .*READ_MODEL_URL: make room/);
    const failed = new Database.SqliteError('disk I/O error', 'SQLITE_IOERR_READ');
    expect(refusedByMachine(failed)).to.equal('disk I/O error');
  });

  it('has its own words, and is no mistake of the program', () => {
    const system = thrownBy(() => readFileSync(join(tmpdir(), 'x'.repeat(300))));
    expect(refusedByMachine(system)).to.match(/^ENAMETOOLONG/);
    const database = thrownBy(() => new Database(join(tmpdir(), 'nothing-here.db'), { fileMustExist: true }));
    expect(refusedByMachine(database)).to.equal('unable to open database file');
    const noThread = Object.assign(new Error('EAGAIN'), { code: 'ERR_WORKER_INIT_FAILED' });
    expect(refusedByMachine(noThread)).to.match(/too few tasks.*pids limit.*EAGAIN/);
    for (const mistake of [new TypeError('of ours'), 'a text', null]) expect(refusedByMachine(mistake)).to.equal(null);
  });
});
