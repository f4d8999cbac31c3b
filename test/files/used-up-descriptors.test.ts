import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { openSpoolFile } from '../../src/event-store/spool/open-spool-file.ts';
import { openDatabase } from '../../src/event-store/sqlite/open-database.ts';
import { areDescriptorsUsedUp } from '../../src/files/used-up-descriptors.ts';
import { right } from '../support/right.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PROGRAM = fileURLToPath(new URL('opened-without-descriptors.ts', import.meta.url));

describe('a process that may open no more files', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => {
    folder = temporaryFolder();
    right(openDatabase(`${folder.path}/events.db`)).close();
    right(openSpoolFile(`${folder.path}/spool.db`)).close();
  });
  afterEach(() => folder.remove());

  it('is told so of each file of the data directory, and not that the file is at fault', () => {
    const { stdout, stderr } = spawnSync(
      '/bin/sh',
      ['-c', 'ulimit -n 64 && exec "$0" "$@"', process.execPath, PROGRAM, folder.path],
      { encoding: 'utf8', timeout: 20_000 },
    );
    const lines = stdout.trimEnd().split('\n');
    expect(lines, stderr).to.have.length(4);
    for (const line of lines) expect(line).to.match(/\.db can't be opened: too many files are open; .*ulimit -n/);
  }).timeout(30_000);

  it('is no process that can', () => {
    expect(areDescriptorsUsedUp()).to.equal(false);
  });
});
