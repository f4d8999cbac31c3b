import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { outFault } from '../../src/composition/commands/out-fault.ts';
import { configErrorLine, loadConfig } from '../../src/config/index.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('certificates that EVENT_STORE_URL names', () => {
  const folder = temporaryFolder();
  const data = join(folder.path, 'data');
  mkdirSync(data, { mode: 0o700 });
  after(() => folder.remove());

  const envOf = (option: string, path: string): Record<string, string> => ({
    DATA_DIR: data,
    EVENT_STORE_URL: `esdb://u:p@h?${option}=${path}`,
  });
  const started = (option: string, path: string): string =>
    E.match(configErrorLine, () => 'right')(loadConfig(envOf(option, path), { generate: true, randomBytes }));

  for (const option of ['tlsCAFile', 'userCertFile', 'userKeyFile']) {
    it(`are refused as ${option} where they are a pipe, a device or a folder, which no client is to open`, () => {
      const pipe = join(folder.path, `pipe-${option}`);
      execFileSync('mkfifo', ['-m', '600', pipe]);
      const words = `EVENT_STORE_URL: its option ${option.toLowerCase()} has a value that can't be used; give a regular file: a pipe, a device or a folder is none`;
      for (const path of [pipe, '/dev/zero', folder.path]) expect(started(option, path), path).to.equal(words);
    });

    it(`are judged as ${option} in the data directory as all that is read there`, () => {
      const file = join(data, option);
      writeFileSync(file, '', { mode: 0o600 });
      expect(started(option, file)).to.equal('right');
      chmodSync(file, 0o666);
      expect(started(option, file)).to.equal(
        `EVENT_STORE_URL: ${file} can be written to by others on this machine; chmod go-w ${file}`,
      );
      chmodSync(file, 0o600);
    });
  }

  it('are written over by no command', () => {
    const file = join(folder.path, 'key');
    writeFileSync(file, '', { mode: 0o600 });
    expect(outFault(envOf('userKeyFile', file), file)).to.equal(`${file} is the ledger's own: name another file`);
    expect(outFault(envOf('userKeyFile', file), `${file}.csv`)).to.equal(null);
  });
});
