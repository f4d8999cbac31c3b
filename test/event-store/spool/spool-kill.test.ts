import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { right } from '../../support/right.ts';
import { within } from '../../support/within.ts';
import { readSpoolState } from '../../../src/event-store/spool/read-spool-state.ts';
import { delivery, spoolScene, type SpoolScene } from './spool-scene.ts';

const WRITER = fileURLToPath(new URL('./spool-writer.ts', import.meta.url));
const ENDS_WITHIN_MS = 20_000;
/** In units of 512 bytes: some 250 deliveries. */
const LARGEST_FILE = 2_048;

describe('a spool whose process is killed, or finds no room', () => {
  let scene: SpoolScene;
  let child: ChildProcess | null = null;
  beforeEach(async () => {
    scene = await spoolScene();
    await scene.spool().close();
  });
  afterEach(async () => {
    child?.kill('SIGKILL');
    await scene.end();
  });

  /** Runs a writer until it ended, and gives what it said. */
  const run = async (command: string, args: readonly string[], onLine: (lines: number) => void): Promise<string> => {
    const started = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    child = started;
    let out = '';
    started.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      onLine(out.split('\n').length);
    });
    await within(ENDS_WITHIN_MS, once(started, 'close'), 'the writer to end');
    return out;
  };

  const numbers = (out: string, word: string): readonly number[] =>
    out
      .split('\n')
      .slice(0, -1)
      .filter((line) => line.startsWith(`${word} `))
      .map((line) => Number(line.slice(word.length + 1)));

  /** Every delivery that was kept waits, in order, or was set aside; but for those whose turn was over. */
  const check = async (out: string): Promise<void> => {
    const [kept, over] = [numbers(out, 'kept'), new Set(numbers(out, 'over'))];
    expect(kept.length).to.be.at.least(40);
    expect(over.size).to.be.at.least(2);
    const seen = right(readSpoolState(scene.file));
    const spool = await scene.reopen();
    const { depth, bytes, oldestReceivedAt } = spool.state();
    expect(seen).to.deep.include({ depth, bytes, oldestReceivedAt });
    const aside = new Set(right(await spool.setAsideEntries()()).map(({ requestId }) => requestId));
    const waiting = (await scene.drain()).map(({ verified }) => verified.requestId);
    expect(waiting).to.deep.equal([...waiting].sort());
    expect(new Set(waiting).size).to.equal(waiting.length);
    expect(waiting.length, 'all that the file holds is given').to.equal(depth);
    const requestOf = (n: number): string => delivery(n).requestId;
    const there = new Set([...waiting, ...aside].map(String));
    const lost = kept.filter((n) => !over.has(n) && !there.has(requestOf(n)));
    const found = { kept: kept.length, over: [...over], waiting, aside: [...aside], depth };
    expect(lost, JSON.stringify(found)).to.deep.equal([]);
    for (const id of aside) expect(waiting).to.not.include(id);
  };

  for (const lines of [60, 101, 150]) {
    it(`has all that it promised after SIGKILL (${lines} promises)`, async () => {
      const out = await run(process.execPath, [WRITER, scene.file], (said) => {
        if (said >= lines) child?.kill('SIGKILL');
      });
      await check(out);
    });
  }

  it('has all that it promised where the disk is full, and takes more when there is room', async () => {
    const limited = ['-c', `ulimit -f ${LARGEST_FILE} && exec "$0" "$@"`, process.execPath, WRITER, scene.file];
    await check(await run('sh', limited, () => undefined));
    right(await scene.spool().put(delivery(1), 'a')());
    expect(await scene.drain()).to.have.length(1);
  });
});
