import { cpSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { servingNameOf } from '../../src/composition/ledger-name.ts';
import { loadConfig } from '../../src/config/index.ts';
import { Generations } from '../../src/read-models/sqlite/generations.ts';
import { accepted } from '../support/answers.ts';
import { startEventStoreDb, type EventStoreDbDouble } from '../support/eventstoredb/event-store-db-double.ts';
import { deliver } from '../support/exchange.ts';
import type { LedgerEnvironment } from '../support/ledger-process.ts';
import { onRamp } from '../support/payloads.ts';
import { right } from '../support/right.ts';
import { until } from '../support/until.ts';
import { ask, processFixture } from './process-fixture.ts';

const WAIT_MS = 15_000;

describe('a data directory that is copied', () => {
  const ledger = processFixture();
  let double: EventStoreDbDouble;
  beforeEach(async () => {
    double = await startEventStoreDb();
  });
  afterEach(() => double.close());

  const env = (over: Readonly<Record<string, string>> = {}): LedgerEnvironment =>
    ledger.env({ EVENT_STORE_URL: `esdb://127.0.0.1:${double.port}?tls=false`, ...over });
  const copied = (name: string): { readonly DATA_DIR: string } => {
    const copy = ledger.inFolder(name);
    cpSync(ledger.inFolder('data'), copy, { recursive: true, preserveTimestamps: true });
    return { DATA_DIR: copy };
  };
  const served = async (orderId: string): Promise<void> => {
    const { url, stop } = await ledger.serveHere(env());
    accepted(await deliver(url, onRamp({ orderId })));
    await until(WAIT_MS, 'it to be listed', async () =>
      (await ask(url, '/v1/orders')).text.includes(orderId) ? true : null,
    );
    await stop();
  };
  /** What a start without the store lists. */
  const listed = async (its: LedgerEnvironment): Promise<readonly [number, boolean]> => {
    const { url, stop } = await ledger.serveHere(its);
    const { status, text } = await ask(url, '/v1/orders');
    await stop();
    return [status, text.includes('before')];
  };

  it('answers from its read models while EventStoreDB is away at the start, and not where another log is named', async () => {
    await served('before');
    await double.stop();
    const copy = copied('copy');
    expect(await listed(env(copy))).to.deep.equal([200, true]);
    expect(await listed(env({ ...copy, EVENT_STORE_STREAM_PREFIX: 'other-' }))).to.deep.equal([503, false]);
    expect(await listed(env())).to.deep.equal([200, true]);
  }).timeout(60_000);

  it('answers from those that were noted by the place of the directory alone, as before there was an id', async () => {
    await served('before');
    await double.stop();
    const generations = right(Generations.open(ledger.inFolder('data', 'read-models.db')));
    const { config } = right(loadConfig(env(), { generate: false, randomBytes }));
    generations.hold(generations.serving(), servingNameOf(config));
    generations.close();
    expect(await listed(env())).to.deep.equal([200, true]);
    expect(await listed(env(copied('copy')))).to.deep.equal([200, true]);
  }).timeout(60_000);
});
