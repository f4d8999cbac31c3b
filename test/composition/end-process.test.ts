import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'chai';
import { SILENT_NAME, silentNames } from '../support/silent-names.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { within } from '../support/within.ts';

const END_PROCESS = new URL('../../src/composition/end-process.ts', import.meta.url).href;
const KILL_BEHIND = new URL('../../src/composition/kill-behind.ts', import.meta.url).href;
const EXIT_PROCESS = new URL('../../src/loading/exit-process.ts', import.meta.url).href;
const END_BEHIND_OUTPUT = new URL('../../src/composition/end-behind-output.ts', import.meta.url).href;
const ENDS_WITHIN_MS = 60_000;

type Ended = { readonly status: unknown; readonly signal: unknown; readonly said: string };

/** How a process ends that does this before, and what it says of it. */
const ended = (before: string, withinMs?: number, over?: Readonly<Record<string, string>>): Promise<Ended> => {
  const program = `import { endProcess } from '${END_PROCESS}';
${before}
process.exitCode = 3;
await endProcess(() => console.log('killed'), ${withinMs});`;
  return endedProgram(program, over);
};

const endedProgram = async (program: string, over: Readonly<Record<string, string>> = {}): Promise<Ended> => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...over },
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

  for (const [call, given] of [
    ['open', ''],
    // Node's list of what is under way has neither of these.
    ['readFile', ''],
    ['writeFile', ", 'text'"],
  ] as const) {
    const begun = `import { ${call} } from 'node:fs/promises'; void ${call}('${pipe}'${given});`;

    it(`comes though a call to a file does not return, as of ${call}`, async () => {
      // By the quiet: the time that it has is longer than this test.
      expect(await ended(begun, 600_000)).to.deep.equal({ status: null, signal: 'SIGKILL', said: 'killed\n' });
    }).timeout(30_000);

    it(`is with its status though nobody waits for a call to a file, as of ${call}`, async () => {
      const program = `import { exitProcess } from '${EXIT_PROCESS}';
process.once('exit', (status) => console.log('exit', status));
${begun}
exitProcess(3);`;
      expect(await endedProgram(program)).to.deep.equal({ status: 3, signal: null, said: 'exit 3\n' });
    }).timeout(30_000);
  }

  it('comes behind what a command has said though a call to a file does not return', async () => {
    const program = `import { readFile } from 'node:fs/promises';
import { endBehindOutput } from '${END_BEHIND_OUTPUT}';
void readFile('${pipe}');
console.log('all of it');
endBehindOutput();`;
    expect(await endedProgram(program)).to.deep.equal({ status: null, signal: 'SIGKILL', said: 'all of it\n' });
  }).timeout(30_000);

  it('is with its status behind calls to files that return', async () => {
    const calls = `import { readFile, statfs } from 'node:fs/promises';
for (let at = 0; at < 20; at += 1) { void readFile(new URL('${END_PROCESS}')); void statfs('/'); }`;
    expect(await ended(calls, 60_000)).to.deep.equal({ status: 3, signal: null, said: '' });
  }).timeout(90_000);

  /** Asks for a name, in a thread of libuv's that gets no answer, and goes on once it stands there. */
  const asking = `import { lookup } from 'node:dns';
lookup('${SILENT_NAME}', () => undefined);
while (!process.getActiveResourcesInfo().includes('GetAddrInfoReqWrap')) await new Promise((resolve) => setImmediate(resolve));`;
  const names = () => silentNames(join(temporaryFolder().path, 'aliases')).env;
  const saysItsEnd = `process.once('exit', (status) => console.log('exit', status));`;

  it('is with its status though no name server answers, and behind what is to be done at the end', async () => {
    // Longer than this test: nothing is waited for.
    expect(await ended(`${asking}\n${saysItsEnd}`, 600_000, names())).to.deep.equal({
      status: 3,
      signal: null,
      said: 'exit 3\n',
    });
  }).timeout(30_000);

  for (const [what, endsItself] of [
    ['ends itself', true],
    ['is ended', false],
  ] as const) {
    it(`is with its status though no name server answers a thread that ${what}`, async () => {
      const thread = `${asking}
(await import('node:worker_threads')).parentPort.postMessage('asked');
${endsItself ? 'process.exit();' : 'setInterval(() => undefined, 1_000);'}`;
      const before = `import { endThread, startThread } from '${new URL('../../src/loading/start-thread.ts', import.meta.url).href}';
const asks = startThread(new URL('data:text/javascript,' + encodeURIComponent(${JSON.stringify(thread)})), { execArgv: [] });
await new Promise((resolve) => asks.once('message', resolve));
${endsItself ? '' : 'await endThread(asks);'}`;
      expect(await ended(`${before}\n${saysItsEnd}`, 600_000, names())).to.deep.equal({
        status: 3,
        signal: null,
        said: 'exit 3\n',
      });
    }).timeout(30_000);
  }

  it('comes behind what a command has said though no name server answers', async () => {
    const program = `${asking}
const { endBehindOutput } = await import('${END_BEHIND_OUTPUT}');
process.stdout.write('x'.repeat(1_000_000));
process.exitCode = 3;
endBehindOutput();`;
    const { said, ...end } = await endedProgram(program, names());
    expect({ ...end, length: said.length }).to.deep.equal({ status: 3, signal: null, length: 1_000_000 });
  }).timeout(30_000);

  it('is by a kill where a disk hangs too', async () => {
    const both = `${asking}\nconst { open } = await import('node:fs/promises'); void open('${pipe}');`;
    expect(await ended(both, 600_000, names())).to.deep.equal({ status: null, signal: 'SIGKILL', said: 'killed\n' });
  }).timeout(30_000);

  /** A thread in a call that no end comes into, and that is at work until it returns; a million rounds take some 0.4 s. */
  const slow = (
    rounds: number,
  ): string => `import { startThread } from '${new URL('../../src/loading/start-thread.ts', import.meta.url).href}';
const told = new Int32Array(new SharedArrayBuffer(4));
const work = 'import { workerData } from "node:worker_threads"; import { pbkdf2Sync } from "node:crypto"; Atomics.store(workerData, 0, 1); Atomics.notify(workerData, 0); pbkdf2Sync("a", "b", ${rounds}, 64, "sha512");';
startThread(new URL('data:text/javascript,' + encodeURIComponent(work)), { execArgv: [], workerData: told });
Atomics.wait(told, 0, 0);
// An end that came between its word and the call would end it: it is in the call once it has taken that much time of a processor.
const { user } = process.cpuUsage();
while (process.cpuUsage().user < user + 300_000) Atomics.wait(told, 0, 1, 10);`;

  it('waits for a thread that is at work, however slowly, and does not take it for one that stands', async () => {
    expect(await ended(slow(12_000_000), 60_000)).to.deep.equal({ status: 3, signal: null, said: '' });
  }).timeout(90_000);

  it('waits for no thread longer than it may', async () => {
    expect(await ended(slow(2_000_000_000), 300)).to.deep.equal({ status: null, signal: 'SIGKILL', said: 'killed\n' });
  }).timeout(30_000);

  it('comes though the thread that is to end it stands in the system itself', async () => {
    const program = `import { readFileSync } from 'node:fs';
import { killBehind } from '${KILL_BEHIND}';
killBehind(200);
readFileSync('${pipe}');`;
    expect(await endedProgram(program)).to.include({ status: null, signal: 'SIGKILL' });
  }).timeout(30_000);

  it('keeps no process that has nothing left to do', async () => {
    const program = `import { killBehind } from '${KILL_BEHIND}';
killBehind(600_000);`;
    expect(await endedProgram(program)).to.include({ status: 0, signal: null });
  }).timeout(30_000);

  it('comes behind what a command has said, though a connection is open that nobody ends', async () => {
    const program = `import { createServer } from 'node:net';
import { endBehindOutput } from '${END_BEHIND_OUTPUT}';
createServer().listen(0, '127.0.0.1');
process.stdout.write('x'.repeat(1_000_000));
process.exitCode = 3;
endBehindOutput();`;
    const { said, ...end } = await endedProgram(program);
    expect({ ...end, length: said.length }).to.deep.equal({ status: 3, signal: null, length: 1_000_000 });
  }).timeout(30_000);
});
