import fs, { existsSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { mock } from 'node:test';
import { expect } from 'chai';
import { takeLock } from '../../../src/event-store/sqlite/exclusive-lock.ts';
import { right } from '../../support/right.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('an exclusive lock', () => {
  it('is refused where its file is removed as it is taken, since it would keep out nobody, and is free then', () => {
    const { path, remove } = temporaryFolder();
    const file = `${path}/a.lock`;
    const looking = mock.method(fs, 'statSync', () => {
      rmSync(file);
      return undefined;
    });
    syncBuiltinESMExports();
    try {
      expect(takeLock(file, 'the ledger')).to.have.nested.property('left._tag', 'StoreInUse');
      expect(looking.mock.callCount()).to.equal(1);
    } finally {
      looking.mock.restore();
      syncBuiltinESMExports();
    }
    expect(existsSync(file)).to.equal(false);
    right(takeLock(file, 'the ledger')).release();
    remove();
  });
});
