import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { expect } from 'chai';
import { EVENTS_OF_AN_ORDER, fillLedger } from '../support/filled-ledger.ts';
import { until } from '../support/until.ts';
import { ask, processFixture } from './process-fixture.ts';

export type Kills = {
  /** What read models are built of. */
  readonly orders: number;
  /** How large the new generation's file has become when the build is killed. */
  readonly atBytes: readonly number[];
};

/** Questions whose answers depend on the log alone. */
const QUESTIONS = [
  '/v1/reports/onramp?groupBy=day,token',
  '/v1/reports/offramp?groupBy=month&basis=settled',
  '/v1/reports/offramp?format=csv&groupBy=day',
  '/v1/orders?limit=500&flow=offramp',
  '/v1/orders?limit=500&status=completed&from=2024-02-01&to=2024-03-31',
  '/v1/orders?q=filled-17',
  '/v1/audit?limit=500&type=OnRampCompleted',
];

/** Read models that are what they were, though processes that build them are killed. */
export const killedReadModels = ({ orders, atBytes }: Kills): void => {
  const events = orders * EVENTS_OF_AN_ORDER;
  const ledger = processFixture();

  beforeEach(async () => {
    mkdirSync(ledger.inFolder('data'));
    await fillLedger({ dataDir: ledger.inFolder('data'), file: ledger.inFolder('data', 'events.db') }, orders);
  });

  const generations = (): readonly string[] =>
    readdirSync(ledger.inFolder('data')).filter((name) => /^read-models\.db\.g\d+$/.test(name));

  const sizeOf = (name: string): number =>
    statSync(ledger.inFolder('data', name), { throwIfNoEntry: false })?.size ?? -1;

  /** Waits for a generation beside those that were there to have become so large, or for the process to be through. */
  const buildHas = (bytes: number, before: readonly string[], isThrough: () => boolean): Promise<true> =>
    until(15_000, `a generation of ${bytes} bytes`, () =>
      Promise.resolve(
        isThrough() || generations().some((name) => !before.includes(name) && sizeOf(name) >= bytes) ? true : null,
      ),
    );

  const answers = async (url: string): Promise<readonly string[]> => {
    const all = await Promise.all(QUESTIONS.map((path) => ask(url, `${path}&position=${events}`)));
    expect(all.map(({ status }) => status)).to.deep.equal(QUESTIONS.map(() => 200));
    return all.map(({ text }) => text);
  };

  /** A busy machine may take longer for it than a question waits. */
  const firstBuild = (url: string): Promise<true> =>
    until(60_000, 'the first build', async () =>
      (await ask(url, `/v1/reports/onramp?position=${events}`)).status === 200 ? true : null,
    );

  const proved = async (): Promise<void> => {
    const { out } = await ledger.command(['verify', '--json'], ledger.env());
    expect(JSON.parse(out)).to.deep.equal({ events, orders, failures: [], unknownSecrets: 0 });
  };

  it('answer the same before, beside and after replays that are killed, and one that is not', async () => {
    const { url } = await ledger.serveHere(ledger.env());
    await firstBuild(url);
    const before = await answers(url);
    for (const bytes of atBytes) {
      const there = generations();
      let through = false;
      const { signal, finished } = ledger.begin(['replay'], ledger.env());
      void finished.then(() => (through = true));
      await buildHas(bytes, there, () => through);
      signal('SIGKILL');
      await finished;
      expect(await answers(url)).to.deep.equal(before);
    }
    const { status, out } = await ledger.command(['replay', '--json'], ledger.env());
    expect(status).to.equal(0);
    expect(JSON.parse(out)).to.include({ events, orders });
    expect(await answers(url)).to.deep.equal(before);
    await proved();
    expect(generations()).to.have.length(1);
  }).timeout(60_000);

  it('come out the same after a ledger that was killed again and again while it built and followed', async () => {
    const first = await ledger.serveHere(ledger.env());
    await firstBuild(first.url);
    const before = await answers(first.url);
    await first.stop();
    for (const name of readdirSync(ledger.inFolder('data'))) {
      if (name.startsWith('read-models')) rmSync(ledger.inFolder('data', name));
    }
    for (const bytes of atBytes) {
      const { signal, finished } = await ledger.serve(ledger.env());
      await buildHas(bytes, [], () => false);
      signal('SIGKILL');
      expect((await finished).signal).to.equal('SIGKILL');
    }
    const last = await ledger.serveHere(ledger.env());
    expect(await answers(last.url)).to.deep.equal(before);
    await proved();
    expect(generations()).to.have.length(1);
  }).timeout(60_000);
};
