import { expect } from 'chai';
import * as fc from 'fast-check';
import { eventStoreDbUnderTest, type EventStoreDbUnderTest } from '../support/eventstoredb-under-test.ts';
import { startEventStoreDb } from '../support/eventstoredb/event-store-db-double.ts';
import { deliver } from '../support/exchange.ts';
import { inTurns } from '../support/in-turns.ts';
import type { LedgerEnvironment } from '../support/ledger-process.ts';
import { at } from '../support/naive-json.ts';
import { storeConnected } from '../support/store-connected.ts';
import { allAnswers, auditedEvents, comparable, expectSame, type Answers } from '../process/all-answers.ts';
import { everyKind } from '../process/every-kind.ts';
import { ask, processFixture } from '../process/process-fixture.ts';

const COMMANDS = [
  'order same-1 --pii',
  'audit --limit 20 --verify',
  'quarantine list',
  'report onramp --group-by day,token',
  'verify',
  'replay',
];

/** Ledgers on SQLite and on EventStoreDB that answer alike what was delivered to both: so many orders, and what is no order. */
export const sameAnswers = (orders: number): void => {
  const ledger = processFixture();
  const servers: EventStoreDbUnderTest[] = [];
  afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

  /** Everything that is answered, over HTTP and on the command line: while it serves, after a restart, and once its read models were built anew. */
  const everything = async (env: LedgerEnvironment, bodies: readonly Buffer[]): Promise<Answers> => {
    const since = Date.now() - 1;
    const serving = await ledger.serveHere(env);
    await storeConnected(serving.url);
    const deliveries: Record<string, string> = {};
    let position = '';
    for (const [n, body] of bodies.entries()) {
      const { status, text } = await deliver(serving.url, body, { headers: { 'x-request-id': `same-answers.${n}` } });
      expect(status, text).to.equal(200);
      deliveries[`delivery ${n}`] = text;
      position = String(at(JSON.parse(text), 'position'));
    }
    const asking = (url: string) => (path: string) => ask(url, path);
    const last = await auditedEvents(asking(serving.url), position);
    const positions = last.map((event) => event.position);
    const commands = async (): Promise<Answers> => {
      const printed: Record<string, string> = {};
      await inTurns(COMMANDS, 2, async (command) => {
        const { status, out, err } = await ledger.command([...command.split(' '), '--json'], env);
        printed[`${command}: status and notes`] = `${status} ${err}`;
        printed[command] = out;
      });
      return printed;
    };
    const first = await allAnswers(asking(serving.url), last);
    const printed = await commands();
    await serving.stop();
    const again = await ledger.serveHere(env);
    expect(await allAnswers(asking(again.url), last), 'after a replay and a restart').to.deep.equal(first);
    return comparable({ ...deliveries, ...first, ...printed }, positions, since);
  };

  const onSqlite = (): LedgerEnvironment => ledger.env({ DATA_DIR: ledger.inFolder('sqlite'), LOG_LEVEL: 'fatal' });
  const onServer = ({ url, streamPrefix }: EventStoreDbUnderTest, name: string): LedgerEnvironment =>
    ledger.env({
      DATA_DIR: ledger.inFolder(name),
      EVENT_STORE_URL: url,
      EVENT_STORE_STREAM_PREFIX: streamPrefix,
      LOG_LEVEL: 'fatal',
      // A machine that is slow for a second is not to send deliveries to the spool: its answers differ.
      SPOOL_AFTER_MS: '10000',
    });

  it('get the same answers on SQLite and on EventStoreDB', async () => {
    const same = async (seed: number): Promise<void> => {
      const bodies = everyKind(seed, orders);
      const expected = await everything(onSqlite(), bodies);
      const { url, close } = await startEventStoreDb();
      servers.push({ url, streamPrefix: 'on-double-', close });
      // The real one too where there is one.
      if (process.env['TEST_EVENT_STORE_URL'] !== undefined) servers.push(await eventStoreDbUnderTest());
      for (const [n, server] of servers.entries()) {
        expectSame(await everything(onServer(server, `server-${n}`), bodies), expected);
      }
    };
    await fc.assert(fc.asyncProperty(fc.nat(), same), { numRuns: 1, endOnFailure: true });
  }).timeout(120_000);
};
