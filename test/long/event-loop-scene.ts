import { expect } from 'chai';
import * as t from 'io-ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { accepted } from '../support/answers.ts';
import { deliver, exchange } from '../support/exchange.ts';
import { offRamp, onRamp } from '../support/payloads.ts';
import { right } from '../support/right.ts';
import { CLOSE, CLOSED, MANY_EVENTS } from './asked-of-loop.ts';
import { KEY, watchedLedger } from './watched-ledger.ts';

/** Events of one order, and orders, with bodies of some hundred KB each. */
const LARGE_EVENTS = 120;
const LARGE_ORDERS = 100;
const ROWS = 1_200;
/** Of a bank file. */
const LARGE_LINES = 200;
const LINE_BYTES = 60_000;
/** Orders of one month whose days, currencies, tokens and chains are all combined: each is a row of a report. */
const CELLS = 3_000;
/** Of the closed month, behind its close. */
const LATE_ORDERS = 400;

const Statement = t.type({ statementId: t.string });

/** Of an order that none of them contradicts. */
const WIDE_EVENTS = 20;

/** Text, numbers, addresses: what masking, decoding and writing all have work with. */
const large = (seed: number): JsonObject => ({
  rows: Array.from({ length: ROWS }, (_, i) => ({ name: `n${i}-${seed}`, mail: `a${i}@example.com`, n: i / 7 })),
});

/** A watched ledger that is filled with what takes long to read, fold and write. */
export const watchedLoop = () => {
  let statementId = '';
  const ledger = watchedLedger(async ({ url, delivered }) => {
    for (let i = 0; i < LARGE_EVENTS; i += 1) {
      accepted(await deliver(url(), onRamp({ orderId: 'large', fiat: 100 + i, metaData: large(i) })));
    }
    for (let i = 0; i < WIDE_EVENTS; i += 1)
      accepted(
        await deliver(url(), offRamp({ orderId: 'wide', status: 'fiatDeemed', utr: `w${i}`, metaData: large(i) })),
      );
    await delivered(
      Array.from({ length: MANY_EVENTS }, (_, i) =>
        // New payouts, and others that contradict the first of them.
        offRamp({ orderId: 'many', status: 'fiatDeemed', utr: i % 2 === 0 ? `u${i}` : 'u0', fiat: 100 + i }),
      ),
    );
    await delivered(
      Array.from({ length: CELLS }, (_, i) =>
        onRamp({
          status: 'completed',
          fiat: i + 1,
          currency: ['inr', 'usd', 'eur', 'aed'][i % 4] ?? '',
          buyTokenSymbol: `T${i % 7}`,
          buyTokenAddress: `0x${String(i % 7).repeat(40)}`,
          chainId: 1 + (i % 3),
          createdAt: `${CLOSED}-${String(1 + (i % 29)).padStart(2, '0')}T06:31:08.000Z`,
        }),
      ),
    );
    let position = '';
    for (let i = 0; i < LARGE_ORDERS; i += 1) {
      ({ position } = accepted(await deliver(url(), onRamp({ orderId: `large-${i}`, metaData: large(i) }))));
    }
    const headers = { authorization: `Bearer ${KEY}` };
    const bring = async (path: string, type: string, text: string): Promise<string> => {
      const sent = { method: 'POST', path, headers: { ...headers, 'content-type': type }, body: Buffer.from(text) };
      const answer = await exchange(url(), sent);
      expect(answer.status, answer.text).to.equal(200);
      return answer.text;
    };
    const profile = { date: 'Date', dateFormat: 'dd/mm/yyyy', amount: 'Amount', currency: 'INR', text: ['Said'] };
    await bring('/v1/statements/profiles/large', 'application/json', JSON.stringify(profile));
    const lines = Array.from({ length: LARGE_LINES }, (_, i) => `10/04/2026,-${i + 1}.00,${'x'.repeat(LINE_BYTES)}`);
    const imported = await bring(
      '/v1/statements?profile=large&account=A',
      'text/csv',
      `Date,Amount,Said\n${lines.join('\n')}\n`,
    );
    ({ statementId } = right(Statement.decode(JSON.parse(imported))));
    await bring(`/v1/periods/${CLOSED}/close`, 'application/json', CLOSE);
    for (let i = 0; i < LATE_ORDERS; i += 1) {
      ({ position } = accepted(await deliver(url(), onRamp({ orderId: `late-${i}`, fiat: i + 1 }))));
    }
    expect((await exchange(url(), { path: `/v1/orders?limit=1&position=${position}`, headers })).status).to.equal(200);
  });
  return {
    ...ledger,
    /** Of a bank file with large lines. */
    statementId: () => statementId,
  };
};
