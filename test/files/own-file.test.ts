import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { expect } from 'chai';
import { readOwnFile } from '../../src/files/own-file.ts';
import { UnusableFile } from '../../src/files/unusable-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('a file of the ledger’s own', () => {
  let folder = temporaryFolder();
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());
  const at = (name: string): string => `${folder.path}/${name}`;

  it('is no pipe, where whoever reads it, or opens it as a database, would wait for ever, and no device', () => {
    execFileSync('mkfifo', [at('pipe')]);
    symlinkSync('/dev/zero', at('device'));
    const source = (file: string): string => new URL(`../../src/${file}`, import.meta.url).href;
    const program = `import { readOwnFile } from '${source('files/own-file.ts')}';
import { openReadOnly } from '${source('sql/open-read-only.ts')}';
for (const name of ['${at('pipe')}', '${at('device')}'])
  for (const open of [readOwnFile, openReadOnly]) try { open(name); } catch (error) { console.log(error.message); }`;
    // A process of its own: one that waits there hears nothing.
    const { stdout, signal } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
      timeout: 20_000,
      killSignal: 'SIGKILL',
    });
    expect({ stdout, signal }).to.deep.equal({
      stdout: [
        `${at('pipe')} is a pipe or a device, and no file; move ${at('pipe')} away\n`,
        `${at('device')} is a pipe or a device, and no file; name another file than ${at('device')}\n`,
      ]
        .map((line) => line.repeat(2))
        .join(''),
      signal: null,
    });
  }).timeout(30_000);

  it('is no folder and no socket: both are named with what to do', async () => {
    mkdirSync(at('folder'));
    const server = createServer().listen(at('socket'));
    await once(server, 'listening');
    for (const name of ['folder', 'socket']) {
      const words = `${at(name)} is a ${name}, and the ledger keeps a file there; move ${at(name)} away`;
      expect(() => readOwnFile(at(name))).to.throw(UnusableFile, words);
    }
    server.close();
    writeFileSync(at('file'), 'größer');
    symlinkSync(at('file'), at('link'));
    expect(readOwnFile(at('link'))).to.equal('größer');
    expect(() => readOwnFile(at('none'))).to.throw(/ENOENT/);
  });
});
