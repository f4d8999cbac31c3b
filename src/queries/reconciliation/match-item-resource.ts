import * as t from 'io-ts';
import { BREAK_CODES } from '../../../projections/match/break.ts';
import { DECISIONS } from '../../../projections/match/decision.ts';
import { MATCH_STATES } from '../../../projections/match/match-item.ts';
import type { MatchOrder } from '../../../projections/match/match-order.ts';
import { nodeOf } from '../../../projections/match/node.ts';
import { MATCH_RULES } from '../../../projections/match/rule.ts';
import { PHASES } from '../../domain/status.ts';
import type { Transfer } from '../../domain/transfer.ts';
import type { ShownItem } from '../../read-models/match-questions.ts';
import type { PersonalData } from '../masking/personal-data.ts';
import { shownFact, shownText } from '../masking/shown-text.ts';
import { jsonNumber } from '../resources/json-number.ts';
import {
  amount,
  amountOrNull,
  chainId,
  count,
  day,
  flow,
  instant,
  oneOfWords,
  sha256,
  text,
  textOrNull,
} from '../resources/values.ts';
import { bankSides, linesOfItem } from './told-references.ts';

const side = textOrNull('What this side has in the field; null: nothing.');

const BreakResource = t.strict(
  {
    code: oneOfWords(BREAK_CODES, 'What is wrong, or not yet right.'),
    field: text('The field that differs.'),
    order: side,
    bank: side,
    chain: side,
  },
  'Break',
);

const dayOfLine = day('A day as the bank wrote it.');

const LineResource = t.strict({
  lineId: sha256('What names the line.'),
  statementId: sha256('The file that brought it first.'),
  index: count('Its place in that file, from 0.'),
  account: text('The account.'),
  bookedOn: dayOfLine,
  valueOn: dayOfLine,
  amount: amount('Never negative.'),
  currency: text('In upper case.'),
  direction: oneOfWords(['in', 'out'], 'What it did to the account.'),
  reversal: t.boolean,
  references: t.readonlyArray(t.string),
  text: text('What the bank says of it; masked without `pii:read`.'),
  raw: textOrNull('As it stood in the file; null without `pii:read`.'),
});

const TransferResource = t.strict({
  transferId: sha256('What names the transfer.'),
  chainId: count('The chain.', 1),
  txnHash: text('The transaction.'),
  block: t.union([t.number, t.null]),
  confirmations: t.union([t.number, t.null]),
  status: oneOfWords(['success', 'failed', 'dropped'], 'What became of it.'),
  token: textOrNull("The token's contract; null for the chain's own coin."),
  from: textOrNull('The sender.'),
  to: text('The recipient.'),
  baseUnits: amountOrNull('In base units.'),
  amount: amountOrNull('In tokens, where the source says no base units.'),
  observedAt: instant('When it was seen.'),
  source: text('Where it was seen.'),
});

const OrderInItem = t.strict({
  orderId: text("The provider's order id."),
  flow,
  status: text('The shown status.'),
  phase: oneOfWords(PHASES, 'Where the order stands with its money.'),
  fiat: t.strict({ amount: amount('The fiat amount.'), currency: text('In upper case.') }),
  token: t.strict({
    address: text('The contract address.'),
    chainId,
    amount: amountOrNull('In tokens.'),
    baseUnits: amountOrNull('In base units.'),
  }),
  walletAddress: text("The customer's wallet."),
  txnHash: textOrNull('The transaction.'),
  transactionId: textOrNull("The provider's transaction."),
  commission: amountOrNull('Of the provider.'),
  tds: amountOrNull('Tax deducted at source.'),
  createdOn: day('The business day of its creation.'),
  settledOn: day('The business day of its settlement; null before it.'),
});

/** A decision as it is shown. */
export const DecisionResource = t.strict(
  {
    decision: oneOfWords(DECISIONS, 'What was decided.'),
    with: t.readonlyArray(t.string),
    note: text('Why.'),
    by: text('Who: the id of the API key, or `command-line`.'),
    at: instant('When.'),
  },
  'MatchDecision',
);

/** An item of the match as callers see it (docs/spec/match.md, Items). */
export const MatchItemResource = t.strict(
  {
    itemId: text('Stays as long as what is in the item does.'),
    state: oneOfWords(MATCH_STATES, 'Where it stands.'),
    rule: t.union([oneOfWords(MATCH_RULES, 'What joined it.'), t.null]),
    flow: t.union([flow, t.null]),
    currency: textOrNull('In upper case.'),
    fiat: amount('What its orders come to in this currency; without any, its lines.'),
    others: t.readonlyArray(
      t.strict({
        currency: text('In upper case.'),
        fiat: amount('What its orders come to in another currency; without any, its lines.'),
      }),
    ),
    day: day('What its age counts from.'),
    ageDays: t.number,
    breaks: t.readonlyArray(BreakResource),
    counts: t.strict({
      orders: count('How many it has.'),
      lines: count('How many it has.'),
      transfers: count('How many it has.'),
    }),
    orders: t.readonlyArray(OrderInItem),
    payouts: t.readonlyArray(
      t.strict({
        orderId: text('Of this order.'),
        utr: textOrNull("The bank's reference."),
        state: oneOfWords(['deemed', 'failed', 'paid'], '`deemed` is neither success nor failure.'),
      }),
    ),
    lines: t.readonlyArray(LineResource),
    transfers: t.readonlyArray(TransferResource),
    decision: t.union([DecisionResource, t.null]),
  },
  'MatchItem',
);

export type MatchItemResource = t.TypeOf<typeof MatchItemResource>;

const shownSide = (value: string | null, personal: PersonalData): string | null =>
  value === null ? null : shownText(value, personal);

const transferResource = (transfer: Transfer, personal: PersonalData): MatchItemResource['transfers'][number] => ({
  ...transfer,
  source: shownText(transfer.source, personal),
});

/** Status, currency, token and transaction are whatever text the provider sent. */
const orderResource = (order: MatchOrder, personal: PersonalData): MatchItemResource['orders'][number] => ({
  orderId: order.orderId,
  flow: order.flow,
  status: shownText(order.status, personal),
  phase: order.phase,
  fiat: { amount: order.fiat, currency: shownText(order.currency, personal) },
  token: {
    address: shownText(order.tokenAddress, personal),
    chainId: jsonNumber(order.chainId),
    amount: order.tokens,
    baseUnits: order.baseUnits,
  },
  walletAddress: shownFact('walletAddress', order.walletAddress, personal),
  txnHash: order.txnHash === null ? null : shownFact('txnHash', order.txnHash, personal),
  transactionId: shownSide(order.transactionId, personal),
  commission: order.commission,
  tds: order.tds,
  createdOn: order.createdDay,
  settledOn: order.settledDay,
});

const countsOf = ({ members }: ShownItem): MatchItemResource['counts'] => {
  const counts = { orders: 0, lines: 0, transfers: 0 };
  for (const name of members) counts[`${nodeOf(name).kind}s`] += 1;
  return counts;
};

/** An item for a caller. */
export const matchItemResource = (item: ShownItem, personal: PersonalData): MatchItemResource => {
  const lines = linesOfItem(item, personal);
  const bankSide = bankSides(item, lines, personal);
  return {
    ...item,
    currency: shownSide(item.currency, personal),
    others: (item.others ?? []).map(({ currency, fiat }) => ({ currency: shownText(currency, personal), fiat })),
    breaks: item.breaks.map(({ code, field, ...sides }) => ({
      code,
      field,
      order: sides.order === null ? null : shownFact(field === 'utr' ? 'payouts.utr' : field, sides.order, personal),
      bank: bankSide(field, sides.bank),
      chain: shownSide(sides.chain, personal),
    })),
    counts: countsOf(item),
    orders: item.orders.map((order) => orderResource(order, personal)),
    payouts: item.orders.flatMap(({ orderId, payouts }) =>
      payouts.map(({ utr, state }) => ({
        orderId,
        utr: utr === null ? null : shownFact('payouts.utr', utr, personal),
        state,
      })),
    ),
    lines,
    decision: item.decision === null ? null : { ...item.decision, note: shownText(item.decision.note, personal) },
    transfers: item.transfers.map((transfer) => transferResource(transfer, personal)),
  };
};
