import Database from 'better-sqlite3';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { startEventStoreDb, type EventStoreDbDouble } from '../support/eventstoredb/event-store-db-double.ts';
import { deliver } from '../support/exchange.ts';
import { EVENTS_OF_AN_ORDER, fillLedger } from '../support/filled-ledger.ts';
import type { LedgerEnvironment } from '../support/ledger-process.ts';
import { at } from '../support/naive-json.ts';
import { until } from '../support/until.ts';
import { allAnswers, auditedEvents, comparable, expectSame, type Answers } from './all-answers.ts';
import { everyKind } from './every-kind.ts';
import { ask, processFixture } from './process-fixture.ts';

const PREFIX = 'moved-';
const ORDERS = 60;

describe('migrate between SQLite and EventStoreDB', () => {
  const ledger = processFixture();
  let double: EventStoreDbDouble;
  beforeEach(async () => {
    double = await startEventStoreDb();
  });
  afterEach(() => double.close());

  const source = (): string => `sqlite:${ledger.inFolder('data', 'events.db')}`;
  const target = (): string => `sqlite:${ledger.inFolder('copy.db')}`;
  const env = (over: LedgerEnvironment = {}): LedgerEnvironment =>
    ledger.env({ EVENT_STORE_STREAM_PREFIX: PREFIX, LOG_LEVEL: 'fatal', ...over });

  const migrated = async (from: string, to: string): Promise<unknown> => {
    const { status, out, err } = await ledger.command(['migrate', '--from', from, '--to', to, '--json'], env());
    expect({ status, err }).to.deep.equal({ status: 0, err: '' });
    return JSON.parse(out);
  };

  /** All of a log's file but what belongs to the store. */
  const rows = (url: string): readonly unknown[] => {
    const database = new Database(url.slice('sqlite:'.length), { readonly: true, fileMustExist: true });
    try {
      const text = 'SELECT stream_name, revision, id, type, data, metadata, raw_body FROM events ORDER BY position';
      return database.prepare(text).raw().all();
    } finally {
      database.close();
    }
  };

  /** What a ledger over a store answers, served with read models of its own. */
  const answersOn = async (url: string, dataDir: string): Promise<Answers> => {
    const serving = await ledger.serveHere(env({ EVENT_STORE_URL: url, DATA_DIR: ledger.inFolder(dataDir) }));
    const asking = (path: string) => ask(serving.url, path);
    const last = await until(15_000, 'the read models', async () => {
      const { status, text } = await asking('/v1/reports/onramp');
      const position = status === 200 ? at(JSON.parse(text), 'asOf', 'position') : null;
      return typeof position === 'string' ? position : null;
    });
    const events = await auditedEvents(asking, last);
    const answers = await allAnswers(asking, events);
    await serving.stop();
    return comparable(
      answers,
      events.map(({ position }) => position),
      Infinity,
    );
  };

  const treeOn = async (over: Record<string, string>): Promise<readonly unknown[]> => {
    const { out, err } = await ledger.command(['checkpoint', '--json'], env(over));
    expect(err).to.equal('');
    const signed: unknown = JSON.parse(out);
    return [at(signed, 'size'), at(signed, 'rootHash')];
  };

  it('gives a ledger with the same answers, and back again the very same events', async () => {
    const same = async (seed: number): Promise<void> => {
      const serving = await ledger.serveHere(env());
      for (const body of everyKind(seed, 3)) expect((await deliver(serving.url, body)).status).to.equal(200);
      await serving.stop();
      const events = rows(source()).length;
      const figures = await migrated(source(), double.url);
      expect(figures).to.deep.include({ events, verified: true });
      expect(double.log.userEvents()).to.have.lengthOf(events);
      expect(await migrated(source(), double.url)).to.deep.equal(figures);
      expect(double.log.userEvents()).to.have.lengthOf(events);

      expect(await migrated(double.url, target())).to.deep.equal(figures);
      expect(rows(target())).to.deep.equal(rows(source()));
      const answers = await answersOn(source(), 'data');
      expectSame(await answersOn(double.url, 'on-server'), answers);
      const there = { EVENT_STORE_URL: double.url, DATA_DIR: ledger.inFolder('on-server') };
      const verified = await ledger.command(['verify', '--json'], env(there));
      expect(JSON.parse(verified.out)).to.deep.include({ events, failures: [], unknownSecrets: 0 });
      // Positions are others there, and the tree of the log is the same.
      expect(await treeOn(there)).to.deep.equal(await treeOn({}));
    };
    await fc.assert(fc.asyncProperty(fc.nat(), same), { numRuns: 1, endOnFailure: true });
  }).timeout(90_000);

  it('goes on where it was killed, through outages, and doubles nothing', async () => {
    const file = ledger.inFolder('data', 'events.db');
    await fillLedger({ file, dataDir: ledger.inFolder('data') }, ORDERS);
    const args = ['migrate', '--from', source(), '--to', double.url];
    const killed = ledger.begin(args, env());
    const copied = (events: number) => () => Promise.resolve(double.log.userEvents().length >= events ? true : null);
    await until(15_000, 'something to be copied', copied(50));
    killed.signal('SIGKILL');
    expect((await killed.finished).signal).to.equal('SIGKILL');
    const there = double.log.userEvents().length;
    expect(there).to.be.below(ORDERS * EVENTS_OF_AN_ORDER);

    double.faults.dropAfterAppends(2);
    double.faults.refuseAppends(2, { _tag: 'NotReady' });
    double.faults.refuseAppends(2, { _tag: 'Unavailable' }, { performed: true });
    double.faults.duplicateAnswers(2);
    const events = ORDERS * EVENTS_OF_AN_ORDER;
    expect(await migrated(source(), double.url)).to.deep.equal({ events, streams: ORDERS, verified: true });
    const ids = double.log.userEvents().map(({ stream, id }) => `${stream}/${id}`);
    expect(new Set(ids).size).to.equal(ids.length).and.to.equal(events);
    expect(await migrated(double.url, target())).to.deep.equal({ events, streams: ORDERS, verified: true });
    expect(rows(target())).to.deep.equal(rows(source()));
  }).timeout(60_000);
});
