import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import * as t from 'io-ts';
import { accepted } from '../support/answers.ts';
import { deliver, exchange, type Answer } from '../support/exchange.ts';
import { onRamp } from '../support/payloads.ts';
import { right } from '../support/right.ts';
import { runHere } from '../support/run-here.ts';
import { API_KEY, startLedger, type RunningLedger } from '../support/running-ledger.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const ORDERS = 40;
const STATUSES = ['fiatPending', 'orderReceived', 'InProgress', 'fiatReceived', 'transferred', 'completed'];

const Rows = t.array(t.type({ orderId: t.string, eventCount: t.number }));
const Events = t.array(t.type({ position: t.string, revision: t.number, stream: t.string }));
const Manifest = t.type({ position: t.string, rows: t.number, sha256: t.string });

const linesOf = ({ text }: Answer): readonly unknown[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line): unknown => JSON.parse(line));

describe('exports of a ledger that serves', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let ledger: RunningLedger;

  beforeEach(async () => {
    folder = temporaryFolder();
    ledger = await startLedger({ env: { DATA_DIR: folder.path } });
  });
  afterEach(async () => {
    await ledger.close();
    folder.remove();
  });

  const get = async (path: string): Promise<Answer> => {
    const answer = await exchange(ledger.url, { path, headers: { authorization: `Bearer ${API_KEY}` } });
    expect(answer.status, `${path}: ${answer.text}`).to.equal(200);
    return answer;
  };

  it('are each of one position, whatever arrives meanwhile', async () => {
    const arriving = { going: true };
    const deliveries = (async () => {
      for (const status of STATUSES) {
        for (let order = 0; order < ORDERS && arriving.going; order += 1) {
          accepted(await deliver(ledger.url, onRamp({ orderId: `order-${order}`, status })));
        }
      }
    })();
    const eventsUpTo = async (position: string) =>
      right(Events.decode(linesOf(await get('/v1/exports/events?format=ndjson')))).filter(
        (event) => Number(event.position) <= Number(position),
      );
    for (let look = 0; look < 8; look += 1) {
      const answer = await get('/v1/exports/orders?format=ndjson');
      const position = String(answer.headers['x-position'] ?? '');
      const orders = right(Rows.decode(linesOf(answer)));
      // Each order has all of its events up to there, and none behind it.
      const counts = new Map<string, number>();
      for (const { stream } of position === '' ? [] : await eventsUpTo(position)) {
        counts.set(stream, (counts.get(stream) ?? 0) + 1);
      }
      expect(
        Object.fromEntries(orders.map(({ orderId, eventCount }) => [`order-${orderId}`, eventCount])),
      ).to.deep.equal(Object.fromEntries(counts));
      const events = await get('/v1/exports/events?format=ndjson');
      const last = right(Events.decode(linesOf(events))).at(-1)?.position;
      expect(last).to.equal(events.headers['x-position']);
    }
    arriving.going = false;
    await deliveries;
  });

  it('include what was acknowledged with a position, and have its manifest', async () => {
    const { position } = accepted(await deliver(ledger.url, onRamp({ orderId: 'a' })));
    const download = await get(`/v1/exports/audit?format=ndjson&verify=true&position=${position}`);
    expect(download.text).to.include('"verified":"yes"');
    const asked = await get(`/v1/exports/audit/manifest?format=ndjson&verify=true&position=${position}`);
    const manifest = right(Manifest.decode(JSON.parse(asked.text)));
    expect(manifest).to.include({ position, rows: 1 });
  });

  it('wait for each other where there are many', async () => {
    const { position } = accepted(await deliver(ledger.url, onRamp({ orderId: 'a' })));
    const paths = Array.from({ length: 12 }, () => `/v1/exports/orders?format=ndjson&position=${position}`);
    const answers = await Promise.all(paths.map(get));
    for (const answer of answers) expect(linesOf(answer)).to.have.length(1);
  });

  it('hold orders of a moment as the log has them that read models were made of last, as lists do', async () => {
    for (const status of ['fiatPending', 'InProgress', 'completed']) {
      const { position } = accepted(await deliver(ledger.url, onRamp({ orderId: 'a', status })));
      await get(`/v1/orders?position=${position}`);
    }
    const paths = ['/v1/exports/orders?format=ndjson&asOf=1', '/v1/orders?asOf=1'];
    const haveAll = async (status: string): Promise<true | null> => {
      const answers = await Promise.all(paths.map(get));
      return answers.every(({ text }) => text.includes(`"${status}"`)) ? true : null;
    };
    expect(await haveAll('fiatPending')).to.equal(true);
    // A store that was restored from a copy has other events at the same positions.
    const store = new Database(join(folder.path, 'events.db'));
    store.exec(`
      DROP TRIGGER events_are_never_changed;
      UPDATE events SET data = replace(data, 'fiatPending', 'orderReceived') WHERE position = 1`);
    store.close();
    const { status, err } = await runHere(['replay'], { DATA_DIR: folder.path });
    expect(status, err).to.equal(0);
    await until(10_000, 'the orders of the other log', () => haveAll('orderReceived'));
  });
});
