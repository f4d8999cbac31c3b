import { expect } from 'chai';
import * as t from 'io-ts';
import { instantOf } from '../../src/domain/instant.ts';
import { bodyOf, offRamp, onRamp, signatureOf } from '../support/payloads.ts';
import { API_KEY, startLedger, type RunningLedger } from '../support/running-ledger.ts';
import { right } from '../support/right.ts';

const NOW = instantOf(Date.parse('2026-04-30T12:00:00Z'));

const Items = t.type({
  data: t.array(
    t.type({
      state: t.string,
      rule: t.union([t.null, t.string]),
      breaks: t.array(t.type({ code: t.string })),
      orders: t.array(t.type({ orderId: t.string })),
      lines: t.array(t.type({ lineId: t.string, text: t.string })),
    }),
  ),
});

const Readiness = t.type({
  checks: t.array(t.type({ name: t.string, count: t.number, link: t.union([t.null, t.string]) })),
});

const Positioned = t.type({ position: t.string });

const PROFILE = {
  date: 'Date',
  dateFormat: 'dd/mm/yyyy',
  amount: 'Amount',
  currency: 'Currency',
  reference: ['Ref'],
  text: ['Narration'],
};

const CSV = [
  'Date,Amount,Currency,Ref,Narration',
  '10/04/2026,-100.00,INR,U1,PAYOUT',
  '10/04/2026,-99.99,INR,,NEFT-U2-ACME',
  '10/04/2026,-7.00,INR,,CHARGES',
  '10/04/2026,-55.00,INR,X9,SOMEBODY',
  '',
].join('\r\n');

describe('a bank statement', () => {
  let ledger: RunningLedger;
  let position = '';

  const send = async (path: string, init: RequestInit): Promise<void> => {
    const response = await fetch(`${ledger.url}${path}`, { method: 'POST', ...init });
    const answer: unknown = await response.json();
    expect(response.status, JSON.stringify(answer)).to.equal(200);
    if (Positioned.is(answer)) position = answer.position;
  };

  const paidOut = async (orderId: string, utr: string): Promise<void> => {
    const body = bodyOf(
      offRamp({ orderId, status: 'PayoutSuccess', utr, fiat: 100, updated_at: '2026-04-10T10:00:00Z' }),
    );
    await send('/v1/webhooks', {
      headers: { 'Content-Type': 'application/json', 'X-Service-Signature': signatureOf(body) },
      body,
    });
  };

  const items = async (query = '') => {
    const response = await fetch(`${ledger.url}/v1/reconciliation/items?position=${position}${query}`, {
      headers: { Authorization: `Bearer ${API_KEY}` },
    });
    return right(Items.decode(await response.json())).data;
  };

  const shown = async (query = ''): Promise<readonly string[]> =>
    (await items(query))
      .map(({ state, rule, breaks, orders }) =>
        [...orders.map(({ orderId }) => orderId), state, rule ?? '-', ...breaks.map(({ code }) => code)].join(' '),
      )
      .toSorted();

  before(async () => {
    ledger = await startLedger({ now: () => NOW });
    await paidOut('o1', 'U1');
    await paidOut('o2', 'U2');
    const headers = { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json' };
    await send('/v1/statements/profiles/acme', { headers, body: JSON.stringify(PROFILE) });
    await send('/v1/statements?format=csv&profile=acme&account=ACC-1', {
      headers: { ...headers, 'Content-Type': 'text/csv' },
      body: CSV,
    });
  });
  after(() => ledger.close());

  it('is matched line by line as soon as it is imported', async () => {
    expect(await shown()).to.deep.equal([
      'o1 matched utr',
      'o2 break utr-in-text amount-under',
      'unmatched-line - missing-at-provider',
      'unmatched-line - missing-at-provider unknown-reference',
    ]);
    expect(await shown('&account=ACC-1&state=break')).to.deep.equal(['o2 break utr-in-text amount-under']);
    expect(await shown('&account=ACC-2')).to.deep.equal([]);
  });

  it('has an order that comes later matched when it comes', async () => {
    await paidOut('o3', 'X9');
    expect(await shown('&orderId=o3')).to.deep.equal(['o3 break utr amount-under']);
    expect(await shown('&state=unmatched-line')).to.deep.equal(['unmatched-line - missing-at-provider']);
  });

  it('makes an order missed whose day it covers', async () => {
    await paidOut('o4', 'U4');
    expect(await shown('&orderId=o4')).to.deep.equal(['o4 unmatched-order - missing-at-bank']);
  });

  it('has in the list that the check of its month leads to what the check counts, and nothing else', async () => {
    const body = bodyOf(onRamp({ orderId: 'on', status: 'completed', createdAt: '2026-04-10T10:00:00Z' }));
    await send('/v1/webhooks', {
      headers: { 'Content-Type': 'application/json', 'X-Service-Signature': signatureOf(body) },
      body,
    });
    await send('/v1/statements?format=csv&profile=acme&account=ACC-1', {
      headers: { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'text/csv' },
      body: 'Date,Amount,Currency,Ref,Narration\r\n30/04/2026,-1.00,INR,,FEE\r\n',
    });
    expect(await shown('&orderId=on')).to.deep.equal(['on unmatched-order - missing-at-bank']);
    const response = await fetch(`${ledger.url}/v1/periods/2026-04/readiness`, {
      headers: { Authorization: `Bearer ${API_KEY}` },
    });
    const { checks } = right(Readiness.decode(await response.json()));
    const match = checks.find(({ name }) => name === 'match');
    expect(match?.count).to.equal(3);
    const [path, query] = match?.link?.split('?') ?? [];
    expect(path).to.equal('/v1/reconciliation/items');
    const line = 'unmatched-line - missing-at-provider';
    const unmatched = ['o4 unmatched-order - missing-at-bank', line, line];
    expect(await shown(`&${query ?? ''}`)).to.deep.equal(unmatched);
    expect(await shown('&state=unmatched&break=missing-at-bank')).to.deep.equal([unmatched[0]]);
    expect(await shown('&state=unmatched&break=missing-at-provider')).to.deep.equal([line, line]);
  });
});
