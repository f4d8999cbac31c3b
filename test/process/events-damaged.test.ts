import { expect } from 'chai';
import * as t from 'io-ts';
import { accepted } from '../support/answers.ts';
import { deliver, exchange } from '../support/exchange.ts';
import { readExposition } from '../support/exposition.ts';
import { onRamp } from '../support/payloads.ts';
import { middlePage, spoilPage } from '../support/spoiled-page.ts';
import { until } from '../support/until.ts';
import { ask, processFixture } from './process-fixture.ts';

const Report = t.type({
  checks: t.array(t.type({ name: t.string, ok: t.boolean, detail: t.string, cure: t.unknown })),
});

const ORDERS = 300;

describe('a ledger of whose events a page goes bad while it serves', () => {
  const ledger = processFixture();

  it('says so once in its log, and wherever it is asked how it is, whichever thread met it, and goes on taking deliveries', async () => {
    const filled = await ledger.serveHere(ledger.env());
    const orders = Array.from({ length: ORDERS }, (_, at) => onRamp({ orderId: `before-${at}` }));
    for (const order of orders) accepted(await deliver(filled.url, order));
    await filled.stop();
    const file = ledger.inFolder('data', 'events.db');
    const page = middlePage(file);

    const { url, out } = await ledger.serveHere(ledger.env());
    await until(20_000, 'lists to be there', async () => ((await ask(url, '/v1/orders')).status === 200 ? true : null));
    const shown = async () => {
      const { status, text } = await exchange(url, { path: '/readyz' });
      const figures = readExposition((await exchange(url, { path: '/metrics' })).text);
      return { status, text, damaged: figures.valueOf('ramp_ledger_event_store_damaged') };
    };
    expect(await shown()).to.deep.equal({ status: 200, text: '{"status":"ready"}', damaged: 0 });
    spoilPage(file, page);

    // Another thread than the one that receives.
    // It breaks off at the page: how much of it comes before is not the question.
    await ask(url, '/v1/exports/events?format=ndjson').catch(() => undefined);
    const line = 'a page of the events is damaged';
    await until(10_000, 'it to be said', () => Promise.resolve(out().includes(line) ? true : null));
    expect(await shown()).to.deep.equal({ status: 200, text: '{"status":"ready","eventsDamaged":true}', damaged: 1 });
    const { status, out: report } = await ledger.command(['doctor', '--json'], ledger.env());
    expect(status).to.equal(1);
    const said: unknown = JSON.parse(report);
    const check = Report.is(said) ? said.checks.find(({ name }) => name === 'ledger') : undefined;
    expect(check).to.include({ ok: false });
    expect(check?.detail).to.include('a page of its events is damaged');
    expect(check?.cure).to.include('ramp-ledger restore').and.to.include('--set-aside');

    // What needs that page fails, and nothing else does: an append is durable whatever became of an old page.
    accepted(await deliver(url, onRamp({ orderId: 'new' })));
    const statuses: number[] = [];
    for (let at = 0; at < ORDERS; at += 1) {
      const { status: had } = await deliver(url, onRamp({ orderId: `before-${at}`, status: 'orderReceived' }));
      statuses.push(had);
    }
    const refused = statuses.filter((had) => had === 503).length;
    expect(refused).to.be.within(1, 20);
    expect(statuses.filter((had) => had === 200)).to.have.length(ORDERS - refused);
    expect(out().split(line)).to.have.length(2);
  }).timeout(120_000);
});
