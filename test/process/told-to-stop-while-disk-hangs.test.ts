import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { expect } from 'chai';
import { accepted } from '../support/answers.ts';
import { deliver } from '../support/exchange.ts';
import { hangingDisk } from '../support/hanging-disk.ts';
import { onRamp } from '../support/payloads.ts';
import { until } from '../support/until.ts';
import { within } from '../support/within.ts';
import { processFixture } from './process-fixture.ts';

const STANDS_WITHIN_MS = 40_000;
const ENDS_WITHIN_MS = 15_000;

/** Commands that write a file, with `OUT` for its folder, and whether they have begun it where they stand. */
const WRITING = [
  { command: 'export audit --out OUT/trail.csv', hasBegun: true },
  { command: 'export orders --out OUT/orders.xlsx', hasBegun: true },
  { command: 'evidence a --out OUT/evidence.zip --pii', hasBegun: false },
] as const;

describe('what is told to stop while a disk hangs', () => {
  const ledger = processFixture();
  const pipe = (): string => ledger.inFolder('pipe');
  const disk = () => hangingDisk(pipe(), { thread: 'main' });

  const filled = async (): Promise<void> => {
    const { url, stop } = await ledger.serveHere(ledger.env());
    accepted(await deliver(url, onRamp({ orderId: 'a' })));
    await stop();
  };

  /** Ends what stands, and says how it ended. */
  const told = async (args: readonly string[], env: Readonly<Record<string, string>>, name: NodeJS.Signals) => {
    rmSync(`${pipe()}.stands`, { force: true });
    const { signal, finished } = ledger.begin(args, ledger.env({ HOST: '127.0.0.1', PORT: '0', ...env }));
    await until(STANDS_WITHIN_MS, `${args.join(' ')} to stand`, () =>
      Promise.resolve(existsSync(`${pipe()}.stands`) ? true : null),
    );
    signal(name);
    return within(ENDS_WITHIN_MS, finished, 'the end');
  };

  it('is a start, which ends as a ledger that serves does', async () => {
    await filled();
    const { env, hang } = disk();
    hang();
    for (const name of ['SIGTERM', 'SIGINT'] as const) {
      expect(await told(['serve'], env, name), name).to.include({ status: null, signal: 'SIGKILL' });
    }
  }).timeout(120_000);

  it("is a ledger that serves and stands in a call of Node's own threads that Node does not list", async () => {
    disk().hang();
    const standing = `import { readFile } from 'node:fs/promises';
import { isMainThread } from 'node:worker_threads';
if (isMainThread) void readFile(${JSON.stringify(pipe())});`;
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(standing)}`;
    const serving = await ledger.serve(ledger.env({ NODE_OPTIONS }));
    serving.signal('SIGTERM');
    const ended = await within(ENDS_WITHIN_MS, serving.finished, 'the end');
    expect(ended).to.include({ status: null, signal: 'SIGKILL' });
    expect(ended.out).to.include('"stopped"').and.include('a call to a disk does not return');
  }).timeout(60_000);

  it('is a command that writes a file, of which nothing is left under any name', async () => {
    await filled();
    const out = ledger.inFolder('out');
    mkdirSync(out);
    const { env, hang } = disk();
    hang();
    for (const { command, hasBegun } of WRITING) {
      for (const name of ['SIGTERM', 'SIGINT'] as const) {
        const args = command.split(' ').map((word) => word.replace('OUT', out));
        const { status, signal } = await told(args, hasBegun ? { ...env, HANGING_BEHIND: out } : env, name);
        expect(status, command).to.equal(null);
        expect(signal, command).to.be.oneOf([name, 'SIGKILL']);
        expect(readdirSync(out), command).to.deep.equal([]);
      }
    }
  }).timeout(300_000);

  it('is a restore, which leaves the store as it was and nothing beside it', async () => {
    await filled();
    const copy = ledger.inFolder('copy.db');
    expect((await ledger.command(['backup', '--out', copy], ledger.env())).status).to.equal(0);
    const { env, hang } = disk();
    hang();
    for (const name of ['SIGTERM', 'SIGINT'] as const) {
      const { status, signal } = await told(
        ['restore', copy, '--set-aside'],
        { ...env, HANGING_BEHIND: ledger.inFolder('data') },
        name,
      );
      expect(status).to.equal(null);
      expect(signal).to.be.oneOf([name, 'SIGKILL']);
      const left = readdirSync(ledger.inFolder('data')).filter((file) => /\.part|set-aside/.test(file));
      expect(left).to.deep.equal([]);
    }
    rmSync(pipe());
    expect((await ledger.command(['verify'], ledger.env())).status).to.equal(0);
  }).timeout(120_000);

  it('is a command that only reads, or builds anew, by that signal', async () => {
    await filled();
    const { env, hang } = disk();
    hang();
    for (const command of ['verify', 'replay', 'orders']) {
      expect(await told([command], env, 'SIGTERM'), command).to.include({ status: null, signal: 'SIGTERM' });
    }
  }).timeout(120_000);
});
