import * as t from 'io-ts';
import { orderPayload } from './order-payload.ts';
import type { Filling } from './ledger-filler.ts';

const Paid = t.type({ utr: t.string, fiat: t.number });

/** The step at which an off-ramp order is paid out, and the share of orders that are off-ramp. */
const LAST_STEP = 3;
const EVERY = 2;

const CENTS = 100;
/** A utr of NEFT has four letters and twelve more. */
const UTR_DIGITS = 12;
const ENTRY_DAY = '260310';

const amountText = (cents: number): string => `${Math.floor(cents / CENTS)},${String(cents % CENTS).padStart(2, '0')}`;

/**
 * A statement of so many lines in MT940: payouts of the orders that a ledger was filled with, and behind them debits that
 * are nobody's. Its balances add up.
 *
 * @param first how many lines the files before it have
 */
export const bankFile = (
  { run, from, orders }: Pick<Filling, 'run' | 'from' | 'orders'>,
  lines: number,
  first = 0,
): Buffer => {
  const entries: string[] = [];
  let total = 0;
  for (let line = first; line < first + lines; line += 1) {
    const order = line * EVERY + 1;
    const payload: unknown =
      order < orders
        ? JSON.parse(orderPayload(run, from, { order, step: LAST_STEP }))
        : { utr: `NBDY${String(line).padStart(UTR_DIGITS, '0')}`, fiat: 1 };
    if (!Paid.is(payload)) throw new Error(`order ${order} of the filled ledger is not paid out`);
    const cents = Math.round(payload.fiat * CENTS);
    total += cents;
    entries.push(
      `:61:${ENTRY_DAY}0310D${amountText(cents)}NTRFNONREF//${payload.utr}\r\n:86:NEFT DR PAYOUT OF ORDER ${order} BY HDFC`,
    );
  }
  const head = [':20:BENCH', ':25:ACC-BENCH', ':28C:1/1', `:60F:C${ENTRY_DAY}INR${amountText(total)}`];
  return Buffer.from([...head, ...entries, `:62F:C${ENTRY_DAY}INR0,00`, '-', ''].join('\r\n'));
};
