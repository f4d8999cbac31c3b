import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { expect } from 'chai';
import { repositoryPath } from '../support/repository-file.ts';
import { until } from '../support/until.ts';
import { within } from '../support/within.ts';
import { processFixture } from './process-fixture.ts';

const STATUSES = { SIGTERM: 143, SIGINT: 130, SIGHUP: 129 } as const;
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Enough for a look at the beginning of what is imported. */
const LINES = 1_000_000;

describe('a command that is the first process of a container', () => {
  const ledger = processFixture();

  /** A command that reads standard input, which never ends, over a folder. */
  const begun = (folder: string, command: string) => {
    const program = ['--import', './test/support/as-first-process.ts', 'src/ramp-ledger.mjs', command, '-'];
    return spawn(process.execPath, program, {
      cwd: repositoryPath('.'),
      env: { ...process.env, ...ledger.env({ DATA_DIR: ledger.inFolder(folder) }) },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
  };
  const there = (folder: string, name: RegExp): readonly string[] => {
    const place = ledger.inFolder(folder);
    return existsSync(place) ? readdirSync(place).filter((it) => name.test(it)) : [];
  };

  for (const signal of SIGNALS)
    it(`ends at ${signal} with its status, and leaves nothing that it had begun`, async () => {
      const commands = [
        { child: begun('imported', 'import'), isReading: () => there('imported', /^events\.db$/) },
        { child: begun('restored', 'restore'), isReading: () => there('restored', /\.part$/) },
      ];
      // So much that it is seen to be no end yet.
      const [importing] = commands;
      importing?.child.stdin.on('error', () => undefined).write('\n'.repeat(LINES));
      try {
        for (const { child, isReading } of commands) {
          await until(20_000, 'it to read', () => Promise.resolve(isReading().length > 0 ? true : null));
          child.kill(signal);
          const ended: unknown = await within(15_000, once(child, 'close'), 'the end');
          expect(ended).to.deep.equal([STATUSES[signal], null]);
        }
        expect(there('restored', /\.part/)).to.deep.equal([]);
      } finally {
        for (const { child } of commands) child.kill('SIGKILL');
      }
    });
});
