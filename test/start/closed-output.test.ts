import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const START = fileURLToPath(new URL('../../src/ramp-ledger.mjs', import.meta.url));

describe('a command whose output nobody reads to its end, as head does not', () => {
  it('ends its work, without a word', async () => {
    const child = spawn(process.execPath, [START, '--help'], { stdio: ['ignore', 'pipe', 'pipe'] });
    // It takes a while to start: nothing is written before the pipe is closed.
    child.stdout.destroy();
    const said = text(child.stderr);
    await once(child, 'close');
    expect([child.exitCode, await said]).to.deep.equal([0, '']);
  });
});
