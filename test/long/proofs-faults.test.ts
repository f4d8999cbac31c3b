import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { readCheckpoints } from '../../src/proofs/files/kept-checkpoints.ts';
import { startCluster, type ClusterDouble } from '../support/eventstoredb/cluster.ts';
import { startEventStoreDb } from '../support/eventstoredb/event-store-db-double.ts';
import { eventLog, type EventLog } from '../support/eventstoredb/event-log.ts';
import { deliver } from '../support/exchange.ts';
import type { LedgerProcess } from '../support/ledger-process.ts';
import { bodyOf, newOrderId, onRamp } from '../support/payloads.ts';
import { until } from '../support/until.ts';
import { ask, processFixture } from '../process/process-fixture.ts';

const NAMES = ['one', 'two'] as const;
const NODES = 3;
const ROUNDS = 9;
const IN_A_ROUND = 25;
const WAIT_MS = 30_000;

/** The ledgers' own events in a store. */
const ownEvents = (log: EventLog): number =>
  log.userEvents().filter(({ stream }) => stream.startsWith('order-')).length;

/** Another store as a backup of the first events would give it. */
const restored = (log: EventLog, events: number): EventLog => {
  const copy = eventLog();
  for (const { stream, ...event } of log.userEvents().slice(0, events)) copy.write(stream, [event]);
  return copy;
};

/** Roots by size, of all that was ever told: a size has one root, whoever tells it. */
class Told {
  readonly #roots = new Map<number, string>();

  add(size: number, root: string): void {
    const before = this.#roots.get(size);
    this.#roots.set(size, root);
    expect(before ?? root, `two trees of ${size} events`).to.equal(root);
  }

  get sizes(): number {
    return this.#roots.size;
  }

  get largest(): number {
    return Math.max(0, ...this.#roots.keys());
  }
}

describe('the tree of a log on EventStoreDB, whatever fails', () => {
  const ledger = processFixture();

  const signedBy = async (url: string): Promise<readonly [size: number, root: string] | null> => {
    const answer = await ask(url, '/v1/log/checkpoint').catch(() => null);
    const [, size = '', root = ''] = answer?.status === 200 ? answer.text.split('\n') : [];
    return root === '' ? null : [Number(size), root];
  };

  /** Hands in a delivery until it is taken, by whichever ledger answers. */
  const recorded = (urls: () => readonly string[]): Promise<true> => {
    const body = bodyOf(onRamp({ orderId: newOrderId('fault') }));
    let turn = 0;
    return until(WAIT_MS, 'a delivery to be taken', async () => {
      turn += 1;
      const all = urls();
      const answer = await deliver(all[turn % all.length] ?? '', body).catch(() => null);
      return answer?.status === 200 || answer?.status === 202 ? true : null;
    });
  };

  it('has one root for each size, for two ledgers, through kills of them and changes of the leader', async () => {
    const cluster: ClusterDouble = await startCluster(NODES);
    const env = (name: string) =>
      ledger.env({
        DATA_DIR: ledger.inFolder(name),
        LEDGER_ORIGIN: `log.example/${name}`,
        EVENT_STORE_URL: cluster.url,
        LOG_LEVEL: 'fatal',
      });
    const told = new Told();
    const serving: LedgerProcess[] = [];
    for (const name of NAMES) serving.push(await ledger.serve(env(name)));
    const urls = (): readonly string[] => serving.map(({ url }) => url);
    const over = new AbortController();
    const watch = async (i: number): Promise<void> => {
      while (!over.signal.aborted) {
        const signed = await signedBy(urls()[i] ?? '');
        if (signed !== null) told.add(...signed);
      }
    };
    const fail = async (round: number): Promise<void> => {
      const before = cluster.leader();
      if (round % 3 === 0) {
        await before?.stop();
        cluster.elect(cluster.nodes[(round + 1) % NODES] ?? null);
        await before?.start();
        return;
      }
      const which = round % 2;
      serving[which]?.signal('SIGKILL');
      await serving[which]?.finished;
      serving[which] = await ledger.serve(env(NAMES[which] ?? ''));
    };
    const rounds = async (): Promise<void> => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const signed = told.largest;
        const deliveries = Array.from({ length: IN_A_ROUND }, () => recorded(urls));
        await fail(round);
        await Promise.all(deliveries);
        await until(WAIT_MS, 'a checkpoint of this round', () => Promise.resolve(told.largest > signed ? true : null));
      }
      over.abort();
    };
    try {
      await Promise.all([rounds(), watch(0), watch(1)]);
    } finally {
      over.abort();
    }
    const level = (url: string) =>
      until(WAIT_MS, 'a checkpoint of all events', async () => {
        const signed = await signedBy(url);
        return signed?.[0] === ownEvents(cluster.log) && signed[0] >= ROUNDS * IN_A_ROUND ? signed : null;
      });
    const [one, two] = [await level(urls()[0] ?? ''), await level(urls()[1] ?? '')];
    expect(one).to.deep.equal(two);
    told.add(...one);
    for (const name of NAMES) {
      for (const { size, root } of readCheckpoints(ledger.inFolder(name), `log.example/${name}`)) {
        told.add(size, root.toString('base64'));
      }
      const { status, out } = await ledger.command(['verify', '--json'], env(name));
      expect(status, out).to.equal(0);
    }
    expect(told.sizes).to.be.at.least(ROUNDS);
    await cluster.close();
  });

  it('is not signed over a store that was restored from an older backup, until the events are back', async () => {
    const store = await startEventStoreDb();
    const env = (url: string) => ledger.env({ EVENT_STORE_URL: url, LOG_LEVEL: 'fatal', LEDGER_ORIGIN: 'log.example' });
    const stopped = async ({ signal, finished }: LedgerProcess): Promise<void> => {
      signal('SIGTERM');
      await finished;
    };
    const first = await ledger.serve(env(store.url));
    await Promise.all(Array.from({ length: 30 }, () => recorded(() => [first.url])));
    const whole = await until(WAIT_MS, 'a checkpoint', async () => {
      const signed = await signedBy(first.url);
      return signed?.[0] === 30 ? signed : null;
    });
    await stopped(first);
    const kept = readCheckpoints(ledger.inFolder('data'), 'log.example').length;

    const older = await startEventStoreDb({ log: restored(store.log, 20) });
    const onOlder = await ledger.serve(env(older.url));
    const lost = async (): Promise<string> =>
      until(WAIT_MS, 'the loss to be seen', async () => {
        const { status, text } = await ask(onOlder.url, '/v1/log/checkpoint');
        return status === 503 && text.includes('history-lost') ? text : null;
      });
    await lost();
    // Deliveries are taken, and grow the log beyond what was signed: that makes it no better.
    for (let more = 0; more < 15; more += 1) await recorded(() => [onOlder.url]);
    expect(ownEvents(older.log)).to.equal(35);
    await lost();
    await stopped(onOlder);
    const failed = await ledger.command(['checkpoint'], env(older.url));
    expect([failed.status, failed.err]).to.deep.equal([
      1,
      'ramp-ledger: the first 30 events of the log are not those of the checkpoint that was signed; nothing is signed: run ramp-ledger verify\n',
    ]);
    expect(readCheckpoints(ledger.inFolder('data'), 'log.example').length).to.equal(kept);

    const again = await ledger.serve(env(store.url));
    expect(
      await until(WAIT_MS, 'the same checkpoint', async () => {
        const signed = await signedBy(again.url);
        return signed?.[0] === 30 ? signed : null;
      }),
    ).to.deep.equal(whole);
    await stopped(again);
    expect(readdirSync(ledger.inFolder('data')).filter((name) => name.startsWith('checkpoints-')).length).to.equal(1);
    await Promise.all([store.close(), older.close()]);
  });
});
