import { expect } from 'chai';
import { accepted } from '../support/answers.ts';
import { deliver } from '../support/exchange.ts';
import { at } from '../support/naive-json.ts';
import { bodyOf, offRamp } from '../support/payloads.ts';
import { API_KEY, startLedger, type RunningLedger } from '../support/running-ledger.ts';

const EARLIER = offRamp({ orderId: 'earlier', created_at: '2026-10-04T00:00:00Z' });
const LATER = offRamp({ orderId: 'later', created_at: '2026-10-05T00:00:00Z' });
/** The order that was the newer one is now said to be older than the other. */
const TOLD_OTHERWISE = offRamp({ orderId: 'later', status: 'orderReceived', created_at: '2026-10-03T00:00:00Z' });

describe('orders, read page by page while the creation time of one changes', () => {
  let ledger: RunningLedger;
  beforeEach(async () => {
    ledger = await startLedger();
  });
  afterEach(() => ledger.close());

  const page = async (query: string): Promise<unknown> => {
    const headers = { Authorization: `Bearer ${API_KEY}` };
    const response = await fetch(`${ledger.url}/v1/orders?limit=1&${query}`, { headers });
    const text = await response.text();
    expect(response.status, text).to.equal(200);
    return JSON.parse(text);
  };
  const record = async (payload: typeof EARLIER): Promise<string> =>
    accepted(await deliver(ledger.url, bodyOf(payload))).position;

  /** The ids on all pages; the time is told otherwise behind the first one. */
  const seen = async (asOf: (position: string) => string): Promise<readonly unknown[]> => {
    await record(EARLIER);
    const position = await record(LATER);
    const first = await page(`position=${position}${asOf(position)}`);
    const [ids, changed] = [[at(first, 'data', '0', 'orderId')], await record(TOLD_OTHERWISE)];
    let next = at(first, 'next');
    while (typeof next === 'string') {
      const one = await page(`position=${changed}&cursor=${encodeURIComponent(next)}${asOf(position)}`);
      ids.push(at(one, 'data', '0', 'orderId'));
      next = at(one, 'next');
    }
    return ids;
  };

  it('stand on one page each as of a moment', async () => {
    expect(await seen((position) => `&asOf=${position}`)).to.deep.equal(['later', 'earlier']);
  });

  it('stand where they are now without one: that one on two pages', async () => {
    expect(await seen(() => '')).to.deep.equal(['later', 'earlier', 'later']);
  });
});
