import { execFileSync, spawnSync } from 'node:child_process';
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
      // Nothing is there before it is taken.
      rmSync(file, { force: true });
      return undefined;
    });
    syncBuiltinESMExports();
    try {
      expect(takeLock(file, 'the ledger')).to.have.nested.property('left._tag', 'StoreInUse');
      expect(looking.mock.callCount()).to.equal(2);
    } finally {
      looking.mock.restore();
      syncBuiltinESMExports();
    }
    expect(existsSync(file)).to.equal(false);
    right(takeLock(file, 'the ledger')).release();
    remove();
  });

  it('is neither looked at nor taken where a pipe stands in its place, since who opens one waits for ever', () => {
    const { path, remove } = temporaryFolder();
    const file = `${path}/a.lock`;
    execFileSync('mkfifo', [file]);
    const program = `import { isLocked, takeLock } from '${new URL('../../../src/event-store/sqlite/exclusive-lock.ts', import.meta.url).href}';
for (const found of [isLocked('${file}'), takeLock('${file}', 'the ledger')]) console.log(found.left._tag, found.left.detail);`;
    // A process of its own: one that waits there hears nothing.
    const { stdout, signal } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
      timeout: 20_000,
      killSignal: 'SIGKILL',
    });
    expect({ stdout, signal }).to.deep.equal({
      stdout: `StoreMisplaced ${file} is a pipe or a device, and no file\n`.repeat(2),
      signal: null,
    });
    remove();
  }).timeout(30_000);
});
