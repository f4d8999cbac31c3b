import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import * as t from 'io-ts';
import { deliver } from '../support/exchange.ts';
import { startEventStoreDb } from '../support/eventstoredb/event-store-db-double.ts';
import { eventLog, type EventLog, type LoggedEvent } from '../support/eventstoredb/event-log.ts';
import { bodyOf, newOrderId, onRamp } from '../support/payloads.ts';
import { right } from '../support/right.ts';
import { ask, processFixture } from '../process/process-fixture.ts';
import { until } from '../support/until.ts';

const EVENTS = 12;
const WITHIN_MS = 30_000;

const Report = t.type({ failures: t.array(t.type({ problem: t.string })) });

type Logged = Pick<LoggedEvent, 'stream' | 'id' | 'type' | 'contentType' | 'data' | 'metadata'>;

/** A store that somebody has written with these events. */
const storeOf = (events: readonly Logged[]): EventLog => {
  const copy = eventLog();
  for (const { stream, ...event } of events) copy.write(stream, [event]);
  return copy;
};

const swapped = (events: readonly Logged[], one: number, other: number): readonly Logged[] =>
  events.map((event, i) => events[i === one ? other : i === other ? one : i] ?? event);

const otherDigest = (event: Logged): Logged => ({
  ...event,
  metadata: Buffer.from(Buffer.from(event.metadata).toString().replace('"recordSha256":"', '"recordSha256":"0')),
});

const forged = (event: Logged): Logged => ({
  ...event,
  id: '00000000-0000-5000-8000-000000000000',
  stream: 'order-forged',
});

/** What somebody makes of the events who has the store in his hands. */
const ALTERATIONS: readonly (readonly [name: string, alter: (events: readonly Logged[]) => readonly Logged[]])[] = [
  ['the last is taken out', (events) => events.slice(0, -1)],
  ['one in the middle is taken out', (events) => events.toSpliced(5, 1)],
  ['all are taken out', () => []],
  ['two change places', (events) => swapped(events, 3, 8)],
  ['one is moved to the end', (events) => [...events.toSpliced(2, 1), ...events.slice(2, 3)]],
  ['one is forged in between', (events) => events.toSpliced(6, 0, ...events.slice(6, 7).map(forged))],
  ['the last is replaced', (events) => [...events.slice(0, -1), ...events.slice(-1).map(forged)]],
  ['one gets another digest', (events) => events.map((event, i) => (i === 4 ? otherDigest(event) : event))],
  [
    'an older state, which went on',
    (events) => [...events.slice(0, 7), ...events.slice(7).map(forged).slice(0, 1), ...events.slice(8)],
  ],
];

describe('the log on an EventStoreDB that somebody has altered', () => {
  const ledger = processFixture();

  it('is found out by verify, and by somebody who has one old checkpoint', async () => {
    const store = await startEventStoreDb();
    const env = (url: string, dataDir = 'data') =>
      ledger.env({
        DATA_DIR: ledger.inFolder(dataDir),
        EVENT_STORE_URL: url,
        LOG_LEVEL: 'fatal',
        LEDGER_ORIGIN: 'log.example',
      });
    const serving = await ledger.serve(env(store.url));
    for (let done = 0; done < EVENTS; done += 1) {
      expect((await deliver(serving.url, bodyOf(onRamp({ orderId: newOrderId() })))).status).to.equal(200);
    }
    const kept = await until(WITHIN_MS, 'a checkpoint of all events', async () => {
      const { text } = await ask(serving.url, '/v1/log/checkpoint');
      return text.includes(`\n${EVENTS}\n`) ? text : null;
    });
    serving.signal('SIGTERM');
    await serving.finished;
    const events = store.log.userEvents().filter(({ stream }) => stream.startsWith('order-'));
    expect(events.length).to.equal(EVENTS);
    await store.close();
    writeFileSync(ledger.inFolder('kept.txt'), kept);
    mkdirSync(ledger.inFolder('elsewhere'), { mode: 0o700 });
    copyFileSync(ledger.inFolder('data', 'signing-key'), join(ledger.inFolder('elsewhere'), 'signing-key'));
    const found = async (args: readonly string[], of: ReturnType<typeof env>): Promise<readonly string[]> => {
      const { status, out } = await ledger.command(['verify', '--json', ...args], of);
      const { failures } = right(Report.decode(JSON.parse(out)));
      expect(status).to.equal(failures.length === 0 ? 0 : 1);
      return failures
        .map(({ problem }) => problem)
        .filter((problem) => /^checkpoint-(?:beyond-log|not-in-log)$/.test(problem));
    };
    for (const [name, alter] of [['nothing was altered', (all: readonly Logged[]) => all] as const, ...ALTERATIONS]) {
      const altered = await startEventStoreDb({ log: storeOf(alter(events)) });
      const count = name === 'nothing was altered' ? 0 : 1;
      expect((await found([], env(altered.url))).length, name).to.equal(count);
      const args = ['--checkpoint', ledger.inFolder('kept.txt')];
      expect((await found(args, env(altered.url, 'elsewhere'))).length, name).to.equal(count);
      await altered.close();
    }
  });
});
