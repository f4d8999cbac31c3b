import { expect } from 'chai';
import { accepted } from '../support/answers.ts';
import { startEventStoreDbProcess } from '../support/eventstoredb/event-store-db-process.ts';
import { deliver, exchange } from '../support/exchange.ts';
import { readExposition, type Exposition } from '../support/exposition.ts';
import { newOrderId, offRamp, onRamp, SECRET, signatureOf, bodyOf } from '../support/payloads.ts';
import { storeConnected } from '../support/store-connected.ts';
import { until } from '../support/until.ts';
import { within } from '../support/within.ts';
import { ask, FULL_KEY, MASKED_KEY, processFixture } from './process-fixture.ts';

/** What Prometheus waits for, by its defaults. */
const SCRAPED_WITHIN_MS = 10_000;

const scrape = async (url: string): Promise<Exposition> => {
  const answer = await exchange(url, { path: '/metrics' });
  expect(answer.status, answer.text).to.equal(200);
  expect(answer.headers['content-type']).to.equal('text/plain; version=0.0.4; charset=utf-8');
  return readExposition(answer.text);
};

/** The page, once the read models include all of the log, it is signed, and counts came within the page's time limit. */
const settled = (url: string): Promise<Exposition> =>
  until(10_000, 'the read models to be level with the log', async () => {
    const page = await scrape(url);
    const position = page.valueOf('ramp_ledger_read_models_position');
    const level = position !== null && position === page.valueOf('ramp_ledger_event_store_position');
    const signed = page.valueOf('ramp_ledger_checkpoint_events') !== null;
    return level && signed && page.valueOf('ramp_ledger_quarantined_deliveries') !== null ? page : null;
  });

/** Of the ledger itself: Node's own come and go with its garbage and its handles. */
const seriesOf = ({ samples }: Exposition): readonly string[] =>
  samples
    .filter(({ name }) => name.startsWith('ramp_ledger_'))
    .map(({ name, labels }) => `${name} ${JSON.stringify(labels)}`)
    .toSorted();

describe('the metrics of a ledger', () => {
  const ledger = processFixture();

  it('are what was delivered and asked', async () => {
    const { url } = await ledger.serveHere(ledger.env());
    const before = Date.now() / 1_000;
    const [one, two, three] = [newOrderId(), newOrderId(), newOrderId()];
    const payload = onRamp({ orderId: one, status: 'fiatPending', fiat: 100 });
    for (const [sent, outcome] of [
      [payload, 'recorded'],
      [payload, 'duplicate'],
      [onRamp({ orderId: one, status: 'fiatPending', fiat: 101 }), 'conflict'],
      [onRamp({ orderId: two, status: 'made up' }), 'recorded'],
      [offRamp({ orderId: three, status: 'PayoutSuccess', utr: 'U1' }), 'recorded'],
      [offRamp({ orderId: three, status: 'PayoutSuccess', utr: 'U2' }), 'recorded'],
      ['no JSON', 'quarantined'],
    ] as const) {
      expect(accepted(await deliver(url, sent)).outcome).to.equal(outcome);
    }
    await deliver(url, payload, { signature: null });
    await deliver(url, payload, { signature: signatureOf(bodyOf(payload), `${SECRET}-wrong`) });
    await deliver(url, payload, { headers: { 'content-type': 'text/plain' } });
    await ask(url, `/v1/orders/${one}`);
    await ask(url, '/v1/orders/nowhere');
    const page = await settled(url);
    const value = (name: string, labels: Record<string, string> = {}): number | null =>
      page.valueOf(`ramp_ledger_${name}`, labels);

    const outcomes = { recorded: 4, duplicate: 1, conflict: 1, quarantined: 1, spooled: 0 };
    for (const [outcome, count] of Object.entries(outcomes)) {
      expect(value('deliveries_total', { outcome }), outcome).to.equal(count);
    }
    const codes = { 'signature-missing': 1, 'signature-mismatch': 1, 'unsupported-media-type': 1, 'not-durable': 0 };
    for (const [code, count] of Object.entries(codes)) {
      expect(value('deliveries_rejected_total', { code }), code).to.equal(count);
    }
    expect(value('delivery_duration_seconds_count', { result: 'accepted' })).to.equal(7);
    expect(value('delivery_duration_seconds_count', { result: 'rejected' })).to.equal(3);
    expect(value('delivery_duration_seconds_sum', { result: 'accepted' })).to.be.within(0.000_1, 10);
    expect(value('append_duration_seconds_count', { result: 'appended' })).to.equal(6);
    expect(value('commit_duration_seconds_count')).to.equal(6);
    expect(value('commit_duration_seconds_sum')).to.be.within(0.000_01, 10);
    expect(value('event_store_position')).to.equal(6);
    expect(value('http_requests_total', { route: '/v1/webhooks', method: 'POST', status: '200' })).to.equal(7);
    expect(value('http_requests_total', { route: '/v1/orders/:orderId', method: 'GET', status: '404' })).to.equal(1);
    expect(
      value('http_request_duration_seconds_count', { route: '/v1/orders/:orderId', status_class: '2xx' }),
    ).to.equal(1);

    expect(value('orders', { flow: 'onramp', status: 'fiatPending' })).to.equal(1);
    expect(value('orders', { flow: 'onramp', status: 'unlisted' })).to.equal(1);
    expect(value('orders', { flow: 'offramp', status: 'PayoutSuccess' })).to.equal(1);
    expect(value('orders', { flow: 'offramp', status: 'unlisted' })).to.equal(0);
    const anomalies = {
      'conflicting-delivery': 1,
      'unlisted-status': 1,
      'second-payout': 1,
      overdue: 1,
      'fact-changed': 0,
    };
    for (const [code, count] of Object.entries(anomalies)) {
      expect(value('order_anomalies', { code }), code).to.equal(count);
    }
    expect(value('quarantined_deliveries')).to.equal(1);
    expect(value('read_models_lag_seconds')).to.equal(0);
    expect(value('read_models_lag_positions')).to.equal(0);
    expect(value('read_models_generation')).to.equal(1);
    expect(value('read_models_building')).to.equal(0);
    expect(value('ready')).to.equal(1);
    expect(value('event_store_up')).to.equal(1);
    expect(value('data_disk_free_bytes')).to.be.above(0);
    const used = value('webhook_secret_last_used_timestamp_seconds', { secret: 'primary' });
    expect(used).to.be.within(before, Date.now() / 1_000);
    expect(page.familyOf('ramp_ledger_build_info')).to.not.equal(null);
    expect(page.labelsOf('ramp_ledger_build_info').get('event_store')).to.deep.equal(new Set(['sqlite']));
    expect(page.valueOf('process_resident_memory_bytes')).to.be.above(1_000_000);
    // There is none beside an embedded store.
    expect(value('spool_deliveries')).to.equal(null);
  });

  it('are no more series, and no text of theirs, whatever callers and the provider make up', async () => {
    const { url } = await ledger.serveHere(ledger.env({ API_KEYS: `asha.rao@example.com:orders:read=${FULL_KEY}` }));
    const made: string[] = [];
    const name = (): string => {
      const text = newOrderId('hostile');
      made.push(text);
      return text;
    };
    const round = async (): Promise<void> => {
      // A page counts itself only on the next one.
      await scrape(url);
      for (const method of ['GET', 'PUT', 'PROPFIND', 'LINK', 'MKCOL', 'M-SEARCH']) {
        for (const path of [`/${name()}`, `/v1/orders/${name()}`, `/v1/quarantine/${name()}/body?q=${name()}`]) {
          await exchange(url, { method, path, headers: { 'x-request-id': name(), authorization: `Bearer ${name()}` } });
        }
      }
      await ask(url, `/v1/orders/${name()}`);
      await deliver(url, onRamp({ orderId: name(), status: name(), currency: name(), buyTokenSymbol: name() }));
      await deliver(url, offRamp({ orderId: name(), status: 'fiatDeemed', utr: name() }));
      await deliver(url, name(), { signature: name() });
      await deliver(url, name());
    };
    await round();
    const before = new Set(seriesOf(await settled(url)));
    await round();
    expect(seriesOf(await settled(url)).filter((series) => !before.has(series))).to.deep.equal([]);
    const { text } = await exchange(url, { path: '/metrics' });
    for (const secret of [...made, SECRET, FULL_KEY, MASKED_KEY, '@example.com', 'PROPFIND']) {
      expect(text).to.not.include(secret);
    }
  });

  it('are there in time while the event store does not answer, and tell of the spool', async () => {
    const double = await startEventStoreDbProcess();
    try {
      const { url } = await ledger.serveHere(
        ledger.env({ EVENT_STORE_URL: double.url, SPOOL_MAX_BYTES: '10000000', SPOOL_AFTER_MS: '2000' }),
      );
      await storeConnected(url);
      accepted(await deliver(url, onRamp()));
      const there = await settled(url);
      expect(there.valueOf('ramp_ledger_event_store_up')).to.equal(1);
      expect(there.valueOf('ramp_ledger_spool_deliveries')).to.equal(0);
      expect(there.valueOf('ramp_ledger_spool_limit_bytes')).to.equal(10_000_000);
      double.freeze();
      const sent = deliver(url, onRamp());
      const inTime = (): Promise<Exposition> => within(SCRAPED_WITHIN_MS, scrape(url), 'a page of metrics');
      const scrapes = await Promise.all([1, 2, 3, 4, 5].map(inTime));
      for (const page of scrapes) expect(page.valueOf('ramp_ledger_ready')).to.equal(1);
      expect((await sent).status).to.equal(202);
      expect((await inTime()).valueOf('ramp_ledger_spool_deliveries')).to.equal(1);
      // The delivery was answered before its append was given up.
      await until(20_000, 'the append to be counted', async () => {
        const page = await inTime();
        return page.valueOf('ramp_ledger_append_duration_seconds_count', { result: 'unavailable' }) === 0 ? null : page;
      });
      await double.kill();
      const away = await until(20_000, 'the store to be known to be away', async () => {
        const page = await inTime();
        // The lag of a page may have been asked for a moment before the store was known to be away.
        const isAway = page.valueOf('ramp_ledger_event_store_up') === 0;
        return isAway && page.valueOf('ramp_ledger_read_models_lag_seconds') === null ? page : null;
      });
      expect(away.valueOf('ramp_ledger_ready')).to.equal(1);
      expect(away.valueOf('ramp_ledger_spool_deliveries')).to.equal(1);
      expect(away.valueOf('ramp_ledger_spool_bytes')).to.be.above(500);
      expect(away.valueOf('ramp_ledger_spool_oldest_age_seconds')).to.be.within(0.5, 60);
      expect(away.valueOf('ramp_ledger_deliveries_total', { outcome: 'spooled' })).to.equal(1);
    } finally {
      await double.end();
    }
  });
});
