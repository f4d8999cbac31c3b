import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import * as t from 'io-ts';
import { deliver } from '../support/exchange.ts';
import { startEventStoreDb } from '../support/eventstoredb/event-store-db-double.ts';
import { bodyOf, newOrderId, onRamp } from '../support/payloads.ts';
import { right } from '../support/right.ts';
import { until } from '../support/until.ts';
import { ask, processFixture } from './process-fixture.ts';

const Report = t.type({ failures: t.array(t.type({ problem: t.string })) });
const Signed = t.type({ origin: t.string, size: t.number });

/** Under what the files are called that are kept of a log. */
const NAME_AND_KEY = /^(?:origin|signing-key)$/;
const ALL_OF_LOG = /^(?:origin|signing-key|log-keys|checkpoints-[0-9a-f]+)$/;

describe('a ledger that is restored on another machine', () => {
  const ledger = processFixture();
  const elsewhere = (over = {}) => ledger.env({ DATA_DIR: ledger.inFolder('elsewhere'), ...over });

  const deliverSome = async (url: string, count: number): Promise<void> => {
    for (let at = 0; at < count; at += 1) {
      expect((await deliver(url, bodyOf(onRamp({ orderId: newOrderId() })))).status).to.equal(200);
    }
  };
  const served = async (env: Readonly<Record<string, string>>, count: number): Promise<void> => {
    const serving = await ledger.serveHere(env);
    await deliverSome(serving.url, count);
    await serving.stop();
  };
  const bring = (files: RegExp): void => {
    mkdirSync(ledger.inFolder('elsewhere'), { recursive: true, mode: 0o700 });
    for (const name of readdirSync(ledger.inFolder('data')).filter((one) => files.test(one))) {
      copyFileSync(ledger.inFolder('data', name), join(ledger.inFolder('elsewhere'), name));
    }
  };
  const signed = async (env: Readonly<Record<string, string>>, ...args: readonly string[]) => {
    const { status, out, err } = await ledger.command(['checkpoint', '--json', ...args], env);
    expect(status, err).to.equal(0);
    return right(Signed.decode(JSON.parse(out)));
  };
  const problems = async (env: Readonly<Record<string, string>>): Promise<readonly string[]> => {
    const { out } = await ledger.command(['verify', '--json'], env);
    return right(Report.decode(JSON.parse(out))).failures.map(({ problem }) => problem);
  };

  /** Takes deliveries, says everywhere why nothing is signed, and signs under another name once somebody accepts that. */
  const expectWithheld = async (
    env: Readonly<Record<string, string>>,
    origin: string,
    events: number,
  ): Promise<void> => {
    const serving = await ledger.serveHere(env);
    await deliverSome(serving.url, 3);
    await until(10_000, 'the ledger to say it', async () =>
      (await ask(serving.url, '/v1/log/checkpoint')).text.includes('"history-lost"') ? true : null,
    );
    expect((await ledger.command(['doctor'], env)).out).to.match(
      /WRONG +checkpoints +nothing is signed, since more may/,
    );
    expect((await ledger.command(['checkpoint'], env)).status).to.equal(1);
    const accepted = await signed(env, '--accept-loss', 'the machine was lost');
    expect(accepted.size).to.equal(events + 3);
    expect(accepted.origin).not.to.equal(origin);
    await serving.stop();
    expect(serving.out()).to.include('--accept-loss');
    await served(env, 1);
    expect(await signed(env)).to.include({ origin: accepted.origin, size: events + 4 });
    expect(await problems(env)).to.deep.equal([]);
  };

  for (const [what, files, unheld] of [
    ['its name and key alone', NAME_AND_KEY, ['checkpoints-gone']],
    ['all that was kept of its log before the backup', ALL_OF_LOG, []],
  ] as const) {
    it(`contradicts nothing that was signed behind the backup, with ${what}`, async () => {
      await served(ledger.env(), 4);
      expect((await signed(ledger.env())).size).to.equal(4);
      bring(files);
      const copy = ledger.inFolder('copy.db');
      expect((await ledger.command(['backup', '--out', copy], ledger.env())).status).to.equal(0);
      await served(ledger.env(), 3);
      const { origin, size } = await signed(ledger.env());
      expect(size).to.equal(7);
      const restored = await ledger.command(['restore', copy], elsewhere());
      expect([restored.status, restored.out]).to.deep.equal([0, restored.out]);
      expect(restored.out).to.match(/checkpoints may have been signed that this data directory does not keep/);
      expect(await problems(elsewhere())).to.deep.equal(unheld);
      await expectWithheld(elsewhere(), origin, 4);
    });
  }

  it('goes on as it was where it was stopped for a backup that is restored in its place', async () => {
    await served(ledger.env(), 4);
    const before = await signed(ledger.env());
    const copy = ledger.inFolder('copy.db');
    expect((await ledger.command(['backup', '--out', copy], ledger.env())).status).to.equal(0);
    const restored = await ledger.command(['restore', copy, '--set-aside', '--json'], ledger.env());
    expect(JSON.parse(restored.out)).to.include({ mayLackSigned: false });
    await served(ledger.env(), 2);
    expect(await signed(ledger.env())).to.include({ origin: before.origin, size: 6 });
  });

  it('signs under a name that is made there, at once', async () => {
    await served(ledger.env(), 4);
    const copy = ledger.inFolder('copy.db');
    expect((await ledger.command(['backup', '--out', copy], ledger.env())).status).to.equal(0);
    expect((await ledger.command(['restore', copy], elsewhere())).status).to.equal(0);
    await served(elsewhere(), 1);
    expect((await signed(elsewhere())).size).to.equal(5);
    await served(elsewhere(), 1);
    expect((await signed(elsewhere())).size).to.equal(6);
  });

  it('contradicts nothing either where its events are in an EventStoreDB; a ledger of another name beside it signs them', async () => {
    const server = await startEventStoreDb();
    const there = { EVENT_STORE_URL: server.url, SPOOL_AFTER_MS: '10000' };
    try {
      await served(ledger.env(there), 4);
      const { origin } = await signed(ledger.env(there));
      bring(NAME_AND_KEY);
      await expectWithheld(elsewhere(there), origin, 4);
      const beside = ledger.env({ ...there, DATA_DIR: ledger.inFolder('beside') });
      await served(beside, 1);
      expect((await signed(beside)).size).to.equal(9);
    } finally {
      await server.close();
    }
  });
});
