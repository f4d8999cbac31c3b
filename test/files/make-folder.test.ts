import { spawnSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeFolder } from '../../src/files/make-folder.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ENDS_WITHIN_MS = 20_000;

describe('makeFolder', () => {
  const folder = temporaryFolder();
  after(folder.remove);
  const inFolder = (...names: string[]): string => join(folder.path, ...names);

  it('makes it and those above it for their owner only, and leaves one that is there', () => {
    makeFolder(inFolder('above', 'it'));
    makeFolder(inFolder('above', 'it'));
    for (const made of [inFolder('above'), inFolder('above', 'it')]) {
      expect(statSync(made).mode & 0o777).to.equal(0o700);
    }
  });

  it('throws where a file is in the way', () => {
    writeFileSync(inFolder('file'), '');
    expect(() => makeFolder(inFolder('file'))).to.throw(/EEXIST/);
    expect(() => makeFolder(inFolder('file', 'below'))).to.throw(/ENOTDIR/);
  });

  it('ends where the system knows no folder that could be made, as under /proc', () => {
    const module = JSON.stringify(import.meta.resolve('../../src/files/make-folder.ts'));
    const script = `import(${module}).then(({ makeFolder }) => makeFolder('/proc/none/below')).catch(({ code }) => console.log(code))`;
    const ended = spawnSync(process.execPath, ['-e', script], {
      encoding: 'utf8',
      timeout: ENDS_WITHIN_MS,
      killSignal: 'SIGKILL',
    });
    expect(ended.stdout).to.match(/^E[A-Z]+\n$/);
  });
});
