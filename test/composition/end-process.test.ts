import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { within } from '../support/within.ts';

const END_PROCESS = new URL('../../src/composition/end-process.ts', import.meta.url).href;
const ENDS_WITHIN_MS = 10_000;

/** How a process ends that does this before, and what it says of it. */
const ended = async (before: string): Promise<{ status: unknown; signal: unknown; said: string }> => {
  const program = `import { endProcess } from '${END_PROCESS}';
${before}
process.exitCode = 3;
await endProcess(() => console.log('killed'));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  try {
    await within(ENDS_WITHIN_MS, once(child, 'close'), 'the end');
  } finally {
    child.kill('SIGKILL');
  }
  return { status: child.exitCode, signal: child.signalCode, said };
};

describe('the end of a process', () => {
  /** A call that opens it for reading stands in the system, since nobody writes to it. */
  const pipe = join(temporaryFolder().path, 'pipe');
  before(() => {
    execFileSync('mkfifo', [pipe]);
  });

  it('is with its status where nothing stands in the system, a thread that is still at work or not', async () => {
    const orderly = { status: 3, signal: null, said: '' };
    expect(await ended('')).to.deep.equal(orderly);
    const START_THREAD = new URL('../../src/loading/start-thread.ts', import.meta.url).href;
    const busy = `import { startThread } from '${START_THREAD}';
const busy = startThread(new URL('data:text/javascript,for (;;);'), { execArgv: [] });
await new Promise((resolve) => busy.once('online', resolve));`;
    expect(await ended(busy)).to.deep.equal(orderly);
  }).timeout(30_000);

  it('comes though a call to a file does not return', async () => {
    expect(await ended(`import { open } from 'node:fs/promises'; void open('${pipe}');`)).to.deep.equal({
      status: null,
      signal: 'SIGKILL',
      said: 'killed\n',
    });
  }).timeout(30_000);
});
