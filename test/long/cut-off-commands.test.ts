import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import * as t from 'io-ts';
import { sha256 } from '../../src/domain/sha256.ts';
import { deliver } from '../support/exchange.ts';
import { bodyOf, newOrderId, onRamp } from '../support/payloads.ts';
import { right } from '../support/right.ts';
import { processFixture } from '../process/process-fixture.ts';

/** Kills its process before the so-manieth change of a file's name, or sync, of its first thread. */
const KILLER = `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
let left = Number(process.env.KILLED_AT);
for (const name of ['renameSync', 'linkSync', 'rmSync', 'copyFileSync', 'fsyncSync']) {
  const done = fs[name];
  fs[name] = (...args) => {
    left -= 1;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
    return done(...args);
  };
}
syncBuiltinESMExports();
`;

/** No command has more such steps. */
const MOST_STEPS = 60;
const BACKED_UP = 3;
const COMMITTED = 7;

const Verified = t.type({ events: t.number, failures: t.array(t.type({ problem: t.string })) });

describe('a command that is killed', () => {
  const ledger = processFixture();
  const data = (): string => ledger.inFolder('data');
  const killed = (): string => ledger.inFolder('killed');
  const copy = (): string => ledger.inFolder('copy.db');

  /** A ledger that was killed, so that what it took last is in its write-ahead log alone, and an older backup of it. */
  beforeEach(async () => {
    const serving = await ledger.serve(ledger.env());
    const deliverSome = async (count: number): Promise<void> => {
      for (let at = 0; at < count; at += 1) {
        expect((await deliver(serving.url, bodyOf(onRamp({ orderId: newOrderId() })))).status).to.equal(200);
      }
    };
    await deliverSome(BACKED_UP);
    expect(await ledger.command(['backup', '--out', copy()], ledger.env())).to.include({ status: 0 });
    await deliverSome(COMMITTED - BACKED_UP);
    serving.signal('SIGKILL');
    await serving.finished;
    rmSync(join(data(), 'ledger.sock'));
    cpSync(data(), killed(), { recursive: true });
  });

  const eventsOf = async (file = join(data(), 'events.db')): Promise<number> => {
    const env = ledger.env({ EVENT_STORE_URL: `sqlite:${file}` });
    const { out, err } = await ledger.command(['verify', '--json'], env);
    expect(err).to.equal('');
    const { events, failures } = right(Verified.decode(JSON.parse(out)));
    const others = failures.filter(({ problem }) => !/^(?:checkpoint|read-model)-/.test(problem));
    expect(others).to.deep.equal([]);
    return events;
  };

  /** Runs a command again and again, killed one step later each time, until it comes to its end. */
  const atEachStep = async (args: readonly string[], look: () => Promise<void>): Promise<number> => {
    for (let step = 1; step <= MOST_STEPS; step += 1) {
      rmSync(data(), { recursive: true });
      cpSync(killed(), data(), { recursive: true });
      const killer = `--import data:text/javascript,${encodeURIComponent(KILLER)}`;
      const ended = await ledger.run(args, ledger.env({ NODE_OPTIONS: killer, KILLED_AT: String(step) }));
      await look();
      if (ended.signal === 'SIGKILL') continue;
      expect(ended).to.include({ status: 0, err: '' });
      return step - 1;
    }
    return expect.fail(`more than ${MOST_STEPS} steps`);
  };

  it('has restored a backup or left the old events where they were, all of them, and is completed by a second run', async () => {
    const args = ['restore', copy(), '--set-aside'];
    const found = new Set<number>();
    const steps = await atEachStep(args, async () => {
      const events = await eventsOf();
      expect(events).to.be.oneOf([BACKED_UP, COMMITTED]);
      found.add(events);
      const asides = (): readonly string[] => readdirSync(data()).filter((name) => /set-aside-[0-9a-f]+$/.test(name));
      if (events === BACKED_UP) {
        expect(await Promise.all(asides().map((name) => eventsOf(join(data(), name))))).to.deep.equal([COMMITTED]);
      }
      expect(await ledger.command(args, ledger.env())).to.include({ status: 0, err: '' });
      expect(await eventsOf()).to.equal(BACKED_UP);
      expect(await Promise.all(asides().map((name) => eventsOf(join(data(), name))))).to.include(COMMITTED);
    });
    expect(steps).to.be.at.least(4);
    expect([...found]).to.have.members([BACKED_UP, COMMITTED]);
  });

  it('has left an older file and what is said of it, the new file alone, or both that fit', async () => {
    const out = ledger.inFolder('out', 'orders.csv');
    const manifest = `${out}.manifest.json`;
    mkdirSync(ledger.inFolder('out'));
    writeFileSync(out, 'older');
    writeFileSync(manifest, JSON.stringify({ sha256: sha256('older') }));
    const steps = await atEachStep(['export', 'orders', '--out', out], () => {
      if (existsSync(manifest)) expect(readFileSync(manifest, 'utf8')).to.include(sha256(readFileSync(out)));
      expect(existsSync(out)).to.equal(true);
      return Promise.resolve();
    });
    expect(steps).to.be.at.least(2);
    // What those before it were about to write is gone.
    expect(readdirSync(ledger.inFolder('out')).toSorted()).to.deep.equal(['orders.csv', 'orders.csv.manifest.json']);
  });
}).timeout(300_000);
