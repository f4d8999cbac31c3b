import { expect } from 'chai';
import * as t from 'io-ts';
import { accepted } from '../support/answers.ts';
import { startEventStoreDb } from '../support/eventstoredb/event-store-db-double.ts';
import { deliver } from '../support/exchange.ts';
import type { LedgerEnvironment } from '../support/ledger-process.ts';
import { at } from '../support/naive-json.ts';
import { onRamp } from '../support/payloads.ts';
import { right } from '../support/right.ts';
import { ask, processFixture } from '../process/process-fixture.ts';

const Page = t.type({ data: t.readonlyArray(t.type({ orderId: t.string, eventCount: t.number })) });
const ORDERS = 60;
const STATUSES = ['fiatPending', 'completed'] as const;
/** After so many deliveries each the ledger is killed, or asked to end, and started again. */
const KILLED_EVERY = 35;
const STOPPED_EVERY = 50;

describe('what was written is read, whatever goes on beside it', () => {
  const ledger = processFixture();

  const readsAll = async (store: LedgerEnvironment): Promise<void> => {
    const env = ledger.env({ LOG_LEVEL: 'fatal', ...store });
    let serving = await ledger.serve(env);
    const over = new AbortController();
    let replays = 0;
    const replaying = (async () => {
      while (!over.signal.aborted) {
        const { status, err } = await ledger.run(['replay'], env);
        expect(status, err).to.equal(0);
        replays += 1;
      }
    })();
    let delivered = 0;
    const counts = new Map<string, number>();

    const read = async (path: string): Promise<string> => {
      const { status, text } = await ask(serving.url, path);
      expect(status, `${path}: ${text}`).to.equal(200);
      return text;
    };
    /** What lists, lists of a moment, reports and exports say of it, in turn. */
    const looks: readonly ((orderId: string, position: string) => Promise<void>)[] = [
      async (orderId, position) => {
        const { data } = right(Page.decode(JSON.parse(await read(`/v1/orders?q=${orderId}&position=${position}`))));
        expect(data, `${orderId} at ${position}`).to.have.length(1);
        expect(data[0]?.eventCount).to.be.at.least(counts.get(orderId) ?? 0);
      },
      async (orderId, position) => {
        const path = `/v1/orders?q=${orderId}&asOf=${position}&position=${position}`;
        const { data } = right(Page.decode(JSON.parse(await read(path))));
        expect(
          data.map(({ eventCount }) => eventCount),
          `${orderId} as of ${position}`,
        ).to.deep.equal([counts.get(orderId)]);
      },
      async (_, position) => {
        const text = await read(`/v1/orders?count=true&limit=1&position=${position}`);
        expect(Number(at(at(JSON.parse(text), 'total'), 'orders'))).to.equal(counts.size);
      },
      async (_, position) => {
        const lines = (await read(`/v1/exports/orders?format=ndjson&position=${position}`)).trim().split('\n');
        expect(lines).to.have.length(counts.size);
      },
    ];

    try {
      for (const status of STATUSES) {
        for (let order = 0; order < ORDERS; order += 1) {
          const orderId = `order-${String(order).padStart(4, '0')}`;
          const { outcome, position } = accepted(await deliver(serving.url, onRamp({ orderId, status })));
          expect(outcome).to.equal('recorded');
          counts.set(orderId, (counts.get(orderId) ?? 0) + 1);
          delivered += 1;
          await looks[delivered % looks.length]?.(orderId, position);
          if (delivered % KILLED_EVERY === 0 || delivered % STOPPED_EVERY === 0) {
            serving.signal(delivered % KILLED_EVERY === 0 ? 'SIGKILL' : 'SIGTERM');
            await serving.finished;
            serving = await ledger.serve(env);
          }
        }
      }
    } finally {
      over.abort();
      await replaying;
    }
    expect(replays).to.be.greaterThan(4);
    const { status, out, err } = await ledger.run(['verify'], env);
    expect(status, out + err).to.equal(0);
  };

  it('each answer includes its position while replays follow each other, and the ledger is killed and stopped', () =>
    readsAll({})).timeout(240_000);

  it('the same on EventStoreDB', async () => {
    const double = await startEventStoreDb();
    try {
      // This is about answers: a machine that is slow for a second is not to send deliveries to the spool.
      await readsAll({ EVENT_STORE_URL: double.url, SPOOL_AFTER_MS: '10000' });
    } finally {
      await double.close();
    }
  }).timeout(240_000);
});
