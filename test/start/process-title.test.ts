import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const START = fileURLToPath(new URL('../../src/ramp-ledger.mjs', import.meta.url));

/** What lists of processes show of a start, in the moment in which it begins to load the program. */
const shownAtLoading = async (args: readonly string[]): Promise<string> => {
  const preload = `import { registerHooks } from 'node:module';
    const source = 'process.stdout.write("loading"); setInterval(() => {}, 1000)';
    registerHooks({
      load: (url, context, next) =>
        url.endsWith('/main.ts') ? { format: 'module', shortCircuit: true, source } : next(url, context),
    });`;
  const loader = ['--import', `data:text/javascript,${encodeURIComponent(preload)}`];
  const child = spawn(process.execPath, [...loader, START, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  try {
    await once(child.stdout, 'data');
    return execFileSync('ps', ['-o', 'args=', '-p', String(child.pid)], { encoding: 'utf8' }).trim();
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
};

describe('the title of a process', () => {
  for (const args of [
    ['upstream', 'POST', '/v1/users', '--data', '{"secret":"confidential"}'],
    ['migrate', '--to', 'esdb://admin:confidential@localhost'],
    ['audit', '--q', 'confidential@example.com'],
  ]) {
    it(`shows nothing of the arguments of ${args[0]}, before anything is loaded`, async () => {
      expect(await shownAtLoading(args)).to.equal(`ramp-ledger ${args[0]}`);
    });
  }

  it('names no command that is none', async () => {
    expect(await shownAtLoading(['esdb://admin:confidential@localhost'])).to.equal('ramp-ledger');
  });
});
