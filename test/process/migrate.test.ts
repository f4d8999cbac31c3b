import { existsSync, rmSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { accepted } from '../support/answers.ts';
import { deliver } from '../support/exchange.ts';
import { EVENTS_OF_AN_ORDER, fillLedger } from '../support/filled-ledger.ts';
import { onRamp } from '../support/payloads.ts';
import { until } from '../support/until.ts';
import { expectOneLine, processFixture } from './process-fixture.ts';

const ORDERS = 2_000;
const SECRET_URL = 'esdb://admin:hush-hush@127.0.0.1:1';

describe('migrate', () => {
  const ledger = processFixture();
  const source = (): string => ledger.inFolder('data', 'events.db');
  const target = (): string => ledger.inFolder('other', 'copy.db');
  const migrate = (...over: readonly string[]) =>
    ledger.command(['migrate', '--from', `sqlite:${source()}`, '--to', `sqlite:${target()}`, ...over], ledger.env());

  const fill = (orders: number): Promise<void> =>
    fillLedger({ file: source(), dataDir: ledger.inFolder('data') }, orders);

  const rows = (file: string): readonly unknown[] => {
    const database = new Database(file, { readonly: true, fileMustExist: true });
    try {
      return database
        .prepare('SELECT stream_name, revision, id, type, data, metadata, raw_body FROM events ORDER BY position')
        .raw()
        .all();
    } finally {
      database.close();
    }
  };

  const expectCopied = ({ status, out, err }: Awaited<ReturnType<typeof migrate>>, orders: number): void => {
    expect({ status, err }).to.deep.equal({ status: 0, err: '' });
    const events = orders * EVENTS_OF_AN_ORDER;
    expect(JSON.parse(out)).to.deep.equal({ events, streams: orders, verified: true });
    expect(rows(target())).to.deep.equal(rows(source())).and.to.have.lengthOf(events);
    expect(existsSync(`${target()}.migration`), 'its own data directory').to.equal(false);
  };

  it('goes on where it was killed, and a second run changes nothing', async () => {
    await fill(ORDERS);
    const args = ['migrate', '--from', `sqlite:${source()}`, '--to', `sqlite:${target()}`];
    /** Kills it as soon as it has begun to write; false where it was through by then. */
    const killedWithin = async (): Promise<boolean> => {
      const { signal, finished } = ledger.begin(args, ledger.env());
      let isThrough = false;
      const end = finished.then((ended) => {
        isThrough = true;
        return ended;
      });
      await until(15_000, 'something to be in the target', () => {
        const wal = statSync(`${target()}-wal`, { throwIfNoEntry: false });
        return Promise.resolve(isThrough || (wal !== undefined && wal.size > 100_000) ? true : null);
      });
      signal('SIGKILL');
      return (await end).signal === 'SIGKILL';
    };
    for (let tries = 1; !(await killedWithin()); tries += 1) {
      expect(tries, 'it was through each time').to.be.lessThan(8);
      for (const suffix of ['', '-wal', '-shm']) rmSync(`${target()}${suffix}`, { force: true });
    }
    const there = rows(target());
    expect(there.length).to.be.within(1, ORDERS * EVENTS_OF_AN_ORDER - 1);
    expect(there).to.deep.equal(rows(source()).slice(0, there.length));
    expectCopied(await migrate('--json'), ORDERS);
    const before = statSync(target()).size;
    expectCopied(await migrate('--json'), ORDERS);
    expect(statSync(target()).size).to.equal(before);
    const copied = ledger.env({ EVENT_STORE_URL: `sqlite:${target()}`, DATA_DIR: ledger.inFolder('elsewhere') });
    const verified = await ledger.command(['verify', '--json'], copied);
    expect(JSON.parse(verified.out)).to.deep.include({ orders: ORDERS, failures: [] });
  }).timeout(60_000);

  it('takes the configured store where one is left out, beside a ledger that serves it', async () => {
    const { url } = await ledger.serveHere(ledger.env());
    await deliver(url, onRamp({ orderId: 'ord-1' }));
    await deliver(url, onRamp({ orderId: 'ord-2' }));
    const { status, out, err } = await ledger.command(['migrate', '--to', `sqlite:${target()}`], ledger.env());
    expect({ status, err }).to.deep.equal({ status: 0, err: '' });
    expect(out).to.match(/^2 events of 2 streams [^\n]+\n$/);
    expect(rows(target())).to.deep.equal(rows(source()));
    expect(accepted(await deliver(url, onRamp({ orderId: 'ord-3' }))).outcome).to.equal('recorded');
  }).timeout(20_000);

  it('refuses a target that holds other events, and leaves it as it is', async () => {
    await fill(2);
    await fillLedger({ file: target(), dataDir: ledger.inFolder('other') }, 3);
    const before = rows(target());
    expectOneLine(await migrate('--json'), 1, /revision 0 of stream order-filled-\d/);
    expect(rows(target())).to.deep.equal(before);
  });

  it('refuses a target that is being served', async () => {
    await fill(1);
    const serving = { EVENT_STORE_URL: `sqlite:${target()}`, DATA_DIR: ledger.inFolder('other') };
    const { url } = await ledger.serveHere(ledger.env(serving));
    expectOneLine(await migrate(), 1, /target.*in use by another ledger/);
    expect(existsSync(`${target()}.migration`)).to.equal(false);
    expect(accepted(await deliver(url, onRamp())).outcome).to.equal('recorded');
  });

  it('refuses a source that is not there, and makes neither store', async () => {
    expectOneLine(await migrate(), 1, /source.*events\.db is not there/);
    expect([source(), target()].map((file) => existsSync(file))).to.deep.equal([false, false]);
  });

  it('tells wrong usage, and shows nothing of a URL', async () => {
    const wrong: readonly (readonly [string[], RegExp])[] = [
      [['--from', `sqlite:${target()}`, '--to', `sqlite:${target()}`], /same store/],
      [['--from', `sqlite:${source()}`], /same store/],
      [[], /same store/],
      [['--from', SECRET_URL, '--to', `${SECRET_URL}?tls=false`], /same store/],
      [['--to', 'mysql://admin:hush-hush@127.0.0.1/x'], /--to.*does not know/],
      [['--from', `${SECRET_URL}?hush=1`], /--from.*option/],
      [[`--too=${SECRET_URL}`], /--help/],
      [[SECRET_URL], /--help/],
      [['--to', SECRET_URL, SECRET_URL], /--help/],
    ];
    for (const [args, line] of wrong) {
      const ended = await ledger.command(['migrate', ...args], ledger.env());
      expectOneLine(ended, 2, line);
      expect(ended.err).not.to.include('hush-hush');
    }
    const before = await ledger.command([`--too=${SECRET_URL}`, 'migrate'], ledger.env());
    expectOneLine(before, 2, /--help/);
  }).timeout(30_000);
});
