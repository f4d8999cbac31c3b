import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { expect } from 'chai';
import { ledgerNameOf } from '../../src/composition/ledger-name.ts';
import { loadConfig } from '../../src/config/index.ts';
import { isLocked } from '../../src/event-store/sqlite/exclusive-lock.ts';
import { Generations } from '../../src/read-models/sqlite/generations.ts';
import { accepted } from '../support/answers.ts';
import { deliver } from '../support/exchange.ts';
import type { LedgerEnvironment } from '../support/ledger-process.ts';
import { at } from '../support/naive-json.ts';
import { onRamp } from '../support/payloads.ts';
import { right } from '../support/right.ts';
import { there } from '../support/sqlite-read-models.ts';
import { until } from '../support/until.ts';
import { ask, expectOneLine, processFixture } from './process-fixture.ts';

const REFUSED = /^[^\n]*READ_MODEL_URL sqlite:\S+read-models\.db is in use by another ledger; .*its own\n$/;
const REPORT = '/v1/reports/onramp?groupBy=day';
const REBUILT = 'made from another log than this one';

const FIRST = ['first-1', 'first-2', 'first-3'];
const SECOND = ['second-1', 'second-2'];

const idsOf = (text: string): readonly string[] => (text.match(/(?:first|second)-\d/g) ?? []).toSorted();

describe('read models that two ledgers are given', () => {
  const ledger = processFixture();
  const shared = (): string => ledger.inFolder('data', 'read-models.db');
  const secondOwn = () => ledger.env({ DATA_DIR: ledger.inFolder('other') });
  const second = () => ledger.env({ DATA_DIR: ledger.inFolder('other'), READ_MODEL_URL: `sqlite:${shared()}` });

  const deliverAll = async (url: string, orderIds: readonly string[]): Promise<string> => {
    let last = '';
    for (const orderId of orderIds) last = accepted(await deliver(url, onRamp({ orderId }))).position;
    return last;
  };

  const listed = (url: string, orderIds: readonly string[]): Promise<true> =>
    until(20_000, 'all orders to be listed', async () => {
      const { status, text } = await ask(url, '/v1/orders');
      return status === 200 && idsOf(text).join() === orderIds.join() ? true : null;
    });

  it('are refused to the second one and to its commands while the first serves; those of the first go on', async () => {
    const other = await ledger.serve(secondOwn());
    await deliverAll(other.url, SECOND);
    other.signal('SIGTERM');
    await other.finished;
    const first = await ledger.serve(ledger.env());
    await deliverAll(first.url, FIRST);
    await listed(first.url, FIRST);

    expectOneLine(await ledger.run(['serve'], { ...second(), PORT: '0' }), 1, REFUSED);
    for (const command of [
      ['orders', '--json'],
      ['report', 'onramp', '--json'],
      ['replay'],
      ['verify'],
      ['verify', '--json'],
    ])
      expectOneLine(await ledger.run(command, second()), 1, REFUSED);
    const copy = ledger.inFolder('copy.db');
    expect(await ledger.run(['backup', '--out', copy], secondOwn())).to.include({ status: 0 });
    expectOneLine(await ledger.run(['restore', copy, '--set-aside'], second()), 1, REFUSED);
    const doctor = await ledger.run(['doctor', '--json'], second());
    expect(doctor.out).to.match(/READ_MODEL_URL names is used by another ledger/);
    expect(doctor.out).to.include('set READ_MODEL_URL to a file of its own for each ledger');

    for (const command of [['orders', '--json'], ['replay'], ['orders', '--json']]) {
      const { status, err, out } = await ledger.run(command, ledger.env());
      expect(status, err).to.equal(0);
      if (command[0] === 'orders') expect(idsOf(out)).to.deep.equal(FIRST);
    }
    await listed(first.url, FIRST);
    // One of another data directory that is told the same log answers what the first one does.
    const sameLog = { ...second(), EVENT_STORE_URL: `sqlite:${ledger.inFolder('data', 'events.db')}` };
    for (const command of [['orders', '--json'], ['replay']]) {
      const { status, err } = await ledger.run(command, sameLog);
      expect(status, err).to.equal(0);
    }
    await listed(first.url, FIRST);

    first.signal('SIGKILL');
    await first.finished;
    const next = await ledger.serve(second());
    await listed(next.url, SECOND);
  }).timeout(120_000);

  it('are kept by the ledger that serves where they are removed under it, and its lock with them', async () => {
    const first = await ledger.serveHere(ledger.env());
    await deliverAll(first.url, FIRST);
    await listed(first.url, FIRST);
    for (const name of readdirSync(ledger.inFolder('data')).filter((one) => one.startsWith('read-models')))
      rmSync(ledger.inFolder('data', name));
    await until(20_000, 'the lock to be held again', () =>
      Promise.resolve(existsSync(`${shared()}.lock`) && right(isLocked(`${shared()}.lock`)) ? true : null),
    );
    await listed(first.url, FIRST);
    expectOneLine(await ledger.run(['serve'], { ...second(), PORT: '0' }), 1, REFUSED);
    expect(await ledger.run(['orders', '--json'], ledger.env())).to.include({ status: 0 });
  }).timeout(60_000);

  it('are noted to be of the log of whoever put something in last, also where nothing was in them before', async () => {
    const nameOf = (env: LedgerEnvironment) =>
      ledgerNameOf(right(loadConfig(env, { generate: false, randomBytes })).config);
    const noted = () => {
      const generations = right(Generations.open(shared()));
      try {
        return generations.heldFor();
      } finally {
        generations.close();
      }
    };
    const first = await ledger.serveHere(ledger.env());
    await listed(first.url, []);
    await first.stop();
    expect(noted()).to.deep.equal(there(nameOf(ledger.env())));

    const other = await ledger.serveHere(secondOwn());
    await deliverAll(other.url, SECOND);
    await other.stop();
    for (const [command, env] of [
      ['orders', second()],
      ['replay', ledger.env()],
      ['replay', second()],
      ['orders', ledger.env()],
    ] as const) {
      expect(await ledger.command([command], env)).to.include({ status: 0 });
      expect(noted(), command).to.deep.equal(there(nameOf(env)));
    }
    // As after an upgrade from a version that noted nothing.
    const generations = right(Generations.open(shared()));
    generations.hold(generations.serving(), null);
    generations.close();
    const again = await ledger.serveHere(ledger.env());
    await listed(again.url, []);
    await until(10_000, 'it to be noted', () => Promise.resolve(noted()));
    expect(noted()).to.deep.equal(there(nameOf(ledger.env())));
  }).timeout(60_000);

  it('are answered from by neither with what the other has, also where nothing keeps them apart', async () => {
    const first = await ledger.serveHere(ledger.env());
    const endOfFirst = await deliverAll(first.url, FIRST);
    await listed(first.url, FIRST);
    rmSync(`${shared()}.lock`, { force: true });
    const other = await ledger.serve(second());
    const endOfSecond = await deliverAll(other.url, SECOND);

    const asked = async (url: string, own: readonly string[], end: string): Promise<void> => {
      const paths = ['/v1/orders', `/v1/orders?asOf=${end}`, '/v1/exports/orders', REPORT];
      const answers = await Promise.all(paths.map((path) => ask(url, path)));
      for (const [i, { status, text }] of answers.entries()) {
        expect(status, text).to.be.oneOf([200, 503]);
        if (status === 503) continue;
        if (paths[i] === REPORT) {
          const orders = at(JSON.parse(text), 'totals', '0', 'orders');
          expect(orders === undefined ? 0 : Number(orders), text).to.be.at.most(own.length);
          if (own === SECOND) continue;
          expect(orders, text).to.equal(own.length);
        } else for (const id of idsOf(text)) expect(own, `${paths[i] ?? ''} of ${url}`).to.include(id);
      }
    };
    await until(60_000, 'each to have built the other away some times', async () => {
      await Promise.all([asked(first.url, FIRST, endOfFirst), asked(other.url, SECOND, endOfSecond)]);
      return first.out().split(REBUILT).length > 2 ? true : null;
    });
  }).timeout(120_000);
});
