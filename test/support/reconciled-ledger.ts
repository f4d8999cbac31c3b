import { expect } from 'chai';
import * as t from 'io-ts';
import type { Environment } from '../../src/config/index.ts';
import { instantOf } from '../../src/domain/instant.ts';
import { bodyOf, offRamp, onRamp, signatureOf } from './payloads.ts';
import { right } from './right.ts';
import { API_KEY, startLedger, type RunningLedger } from './running-ledger.ts';
import { storeConnected } from './store-connected.ts';

const NOW = instantOf(Date.parse('2026-04-30T12:00:00Z'));
const HASH = `0x${'ab'.repeat(32)}`;
const TOKEN = '0xdac17f958d2ee523a2206206994597c13d831ec7';
const WALLET = `0x${'2'.repeat(40)}`;

const PROFILE = {
  date: 'Date',
  dateFormat: 'dd/mm/yyyy',
  amount: 'Amount',
  currency: 'INR',
  reference: ['Ref'],
  text: ['Narration'],
};
const CSV = [
  'Date,Amount,Ref,Narration',
  '10/04/2026,-100.00,U1,PAYOUT',
  '10/04/2026,-99.99,,NEFT-U2-ACME',
  '10/04/2026,-7.00,,CHARGES',
  '',
].join('\r\n');
const TRANSFER = { chainId: 137, txnHash: HASH, block: 7, status: 'success', token: TOKEN, to: WALLET, baseUnits: '5' };
const UNKNOWN = { ...TRANSFER, txnHash: `0x${'cd'.repeat(32)}` };

const Positioned = t.type({ position: t.string });
const Item = t.type({ itemId: t.string, state: t.string });
const Items = t.type({ data: t.array(Item) });

/** A ledger with a bank statement, transfers and decisions, one of which was taken back. */
export type ReconciledLedger = {
  readonly ledger: RunningLedger;
  /** What a path of the interface answers, without positions and times of recording, which are a store's own. */
  readonly answer: (path: string) => Promise<unknown>;
};

/** Starts one, of orders on each side of which something is found, missing or too much. */
export const reconciledLedger = async (env: Environment = {}): Promise<ReconciledLedger> => {
  const ledger = await startLedger({ now: () => NOW, env });
  await storeConnected(ledger.url);
  const headers = { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json' };
  let position = '';
  const ask = async (path: string, init: RequestInit = {}): Promise<unknown> => {
    const response = await fetch(`${ledger.url}${path}`, { headers, ...init });
    const body: unknown = await response.json();
    expect(response.status, JSON.stringify(body)).to.equal(200);
    return body;
  };
  const send = async (path: string, body: string | Buffer, over: Record<string, string> = {}, method = 'POST') => {
    const sent = await ask(path, { method, headers: { ...headers, ...over }, ...(method === 'POST' ? { body } : {}) });
    if (Positioned.is(sent)) position = sent.position;
  };
  const deliver = async (body: Buffer): Promise<void> =>
    send('/v1/webhooks', body, { 'X-Service-Signature': signatureOf(body) });
  const item = async (query: string): Promise<string> => {
    const found = right(Items.decode(await ask(`/v1/reconciliation/items?position=${position}&${query}`)));
    return found.data[0]?.itemId ?? expect.fail(`an item of ${query}`);
  };

  for (const n of [1, 2, 3, 4]) {
    const paid = { orderId: `o${n}`, status: 'PayoutSuccess', utr: `U${n}`, updated_at: '2026-04-10T10:00:00Z' };
    await deliver(bodyOf(offRamp({ ...paid, fiat: 100, transactionId: `T${n}` })));
  }
  const bought = {
    orderId: 'on',
    status: 'onRampCompleted',
    chainId: 137,
    txnHash: HASH,
    createdAt: '2026-04-10T10:00:00Z',
  };
  await deliver(bodyOf(onRamp({ ...bought, buyTokenAddress: TOKEN, receiverWalletAddress: WALLET })));
  await send('/v1/statements/profiles/acme', JSON.stringify(PROFILE));
  await send('/v1/statements?format=csv&profile=acme&account=ACC-1', CSV, { 'Content-Type': 'text/csv' });
  await send('/v1/transfers', [TRANSFER, UNKNOWN].map((it) => JSON.stringify(it)).join('\n'), {
    'Content-Type': 'application/x-ndjson',
  });
  const explain = JSON.stringify({ decision: 'explain', note: 'paid by hand' });
  await send(`/v1/reconciliation/items/${await item('orderId=o3')}/decision`, explain);
  const other = await item('orderId=o4');
  await send(`/v1/reconciliation/items/${other}/decision`, explain);
  await send(`/v1/reconciliation/items/${other}/decision`, '', {}, 'DELETE');
  return {
    ledger,
    answer: async (path) => {
      const body = await ask(`${path}${path.includes('?') ? '&' : '?'}position=${position}`);
      const text = JSON.stringify(body).replaceAll(/"asOf":\{[^}]*\}/g, '"asOf":{}');
      const shown: unknown = JSON.parse(text.replaceAll(/"position":"\d+"/g, '"position":""'));
      return shown;
    },
  };
};
