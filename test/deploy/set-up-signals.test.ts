import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { repositoryPath } from '../support/repository-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const SOON_MS = 10_000;

/** Says that it was asked to log in, and gives no answer for a while. */
const STAND_IN = `#!/bin/sh
case "$*" in */info*) echo '{"state":"leader"}'; exit 0 ;; esac
: >"$ASKED"
sleep 1
exit 28
`;

describe('deploy/set-up-store.sh', () => {
  for (const [signal, status] of [
    ['SIGTERM', 143],
    ['SIGINT', 130],
    ['SIGHUP', 129],
  ] as const)
    it(`leaves no password behind where it is ended by ${signal}`, async () => {
      const { path, remove } = temporaryFolder();
      const [bin, secrets, work, asked] = ['bin', 'secrets', 'work', 'asked'].map((name) => join(path, name));
      for (const folder of [bin, secrets, work]) mkdirSync(folder ?? '');
      writeFileSync(join(bin ?? '', 'curl'), STAND_IN, { mode: 0o755 });
      for (const user of ['admin', 'ops', 'ledger'])
        writeFileSync(join(secrets ?? '', `store-${user}-password`), `of-${user}`);
      const child = spawn('sh', [repositoryPath('deploy/set-up-store.sh'), 'https://store:2113'], {
        env: { PATH: `${bin}:${process.env['PATH'] ?? ''}`, SECRETS: secrets, TMPDIR: work, ASKED: asked },
        stdio: 'ignore',
      });
      const closed = once(child, 'close');
      await until(SOON_MS, 'a log-in', () => Promise.resolve(existsSync(asked ?? '') ? true : null));
      expect(readdirSync(work ?? '')).to.have.length(1);
      child.kill(signal);
      expect(await closed).to.deep.equal([status, null]);
      expect(readdirSync(work ?? '')).to.deep.equal([]);
      remove();
    }).timeout(30_000);
});
