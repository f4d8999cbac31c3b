import * as t from 'io-ts';
import {
  GROUP_KEYS,
  type Basis,
  type ReportRow,
  type ReportSums,
  type TokenLine,
} from '../../../projections/report/index.ts';
import type { JsonObject } from '../../domain/json.ts';
import { described } from '../../openapi/described.ts';
import type { ReportAnswer, ReportQuestion } from '../../read-models/read-models.ts';
import { maskedPlainTexts } from '../masking/masking.ts';
import type { PersonalData } from '../masking/personal-data.ts';
import { AsOfResource, asOfResource } from '../resources/as-of.ts';
import { jsonNumber } from '../resources/json-number.ts';
import { amount, amountOrNull, chainId, count, day, flow, oneOfWords, text } from '../resources/values.ts';

const TokenLineResource = t.strict(
  {
    symbol: text('The symbol.'),
    address: text('The contract address.'),
    chainId,
    amount: amount('On-ramp: transferred; off-ramp: deducted.'),
    baseUnits: amountOrNull('On-ramp: transferred, in base units.'),
    averageConversionRate: amountOrNull('On-ramp: weighted by amount, over orders that have both.'),
  },
  'TokenLine',
);

const sums = {
  currency: text('Amounts of different currencies are never added.'),
  orders: count('How many orders.', 1),
  byStatus: described(t.record(t.string, count('How many orders show this status.', 1)), 'Orders by shown status.'),
  fiat: t.strict({
    asked: amount('The sum of the others, to the last digit.'),
    settled: amount('Of settled orders.'),
    refunded: amount('Of refunded orders.'),
    refunding: amount('Of orders whose refund is under way.'),
    expired: amount('Of expired orders.'),
    deemed: amount('Of orders whose payout awaits final confirmation.'),
    failed: amount('Of orders whose payout failed.'),
    open: amount('Of all other orders.'),
  }),
  tokens: described(t.readonlyArray(TokenLineResource), 'Of settled orders: a line for each token address and chain.'),
  commission: amount('Of settled orders.'),
  tds: amount('Of settled orders.'),
  anomalies: count('Orders with at least one anomaly that does not depend on the clock.'),
};

const Sums = t.strict(sums, 'ReportSums');

const Row = t.exact(
  t.intersection([
    t.partial({
      day: described(t.string, 'Where it is grouped by day.', { format: 'date' }),
      month: described(t.string, 'Where it is grouped by month.', { pattern: String.raw`^\d{4}-\d{2}$` }),
      token: text('The symbol, where it is grouped by token.'),
      chainId,
    }),
    t.type(sums),
  ]),
  'ReportRow',
);

type RowResource = t.TypeOf<typeof Row>;

/** A report as callers see it, its members in the order of docs/spec/http.md, A report. */
export const ReportResource = t.strict(
  {
    flow,
    basis: oneOfWords<Basis>(['created', 'settled'], 'What the days are of.'),
    timeZone: text('The business time zone.'),
    from: day('The first business day; null: from the beginning.'),
    to: day('The last business day; null: to the end.'),
    groupBy: t.readonlyArray(oneOfWords(GROUP_KEYS, 'A key of the rows.')),
    asOf: AsOfResource,
    rows: t.readonlyArray(Row),
    totals: described(t.readonlyArray(Sums), 'One for each currency.'),
  },
  'Report',
);

export type ReportResource = t.TypeOf<typeof ReportResource>;

const tokenResource = ({ chainId, ...line }: TokenLine): t.TypeOf<typeof TokenLineResource> => ({
  symbol: line.symbol,
  address: line.address,
  chainId: jsonNumber(chainId),
  amount: line.amount,
  baseUnits: line.baseUnits,
  averageConversionRate: line.averageConversionRate,
});

const sumsResource = ({
  currency,
  orders,
  byStatus,
  fiat,
  tokens,
  commission,
  tds,
  anomalies,
}: ReportSums): t.TypeOf<typeof Sums> => ({
  currency,
  orders,
  // A status may be any text, `__proto__` too: fromEntries defines members.
  byStatus: Object.fromEntries(byStatus),
  fiat: {
    asked: fiat.asked,
    settled: fiat.settled,
    refunded: fiat.refunded,
    refunding: fiat.refunding,
    expired: fiat.expired,
    deemed: fiat.deemed,
    failed: fiat.failed,
    open: fiat.open,
  },
  tokens: tokens.map(tokenResource),
  commission,
  tds,
  anomalies,
});

const rowResource = ({ day: ofDay, month, token, chainId: chain, ...measures }: ReportRow): RowResource => ({
  ...(ofDay === undefined ? {} : { day: ofDay }),
  ...(month === undefined ? {} : { month }),
  ...(token === undefined ? {} : { token }),
  ...(chain === undefined ? {} : { chainId: jsonNumber(chain) }),
  ...sumsResource(measures),
});

const shown = <A extends JsonObject>(object: A, personal: PersonalData): A =>
  personal === 'shown' ? object : maskedPlainTexts(object);

/** What was made of rows, as long as those are kept: of a year by day, most are the rows of the last time. */
const known = { shown: new WeakMap<ReportRow, RowResource>(), masked: new WeakMap<ReportRow, RowResource>() };

const shownRow = (row: ReportRow, personal: PersonalData): RowResource => {
  const rows = known[personal === 'shown' ? 'shown' : 'masked'];
  const resource = rows.get(row) ?? shown(rowResource(row), personal);
  rows.set(row, resource);
  return resource;
};

/** What a report is of. */
const aboutReport = (
  { flow: of, basis, from, to, groupBy }: ReportQuestion,
  { timeZone, asOf }: Pick<ReportAnswer, 'timeZone' | 'asOf'>,
) => ({ flow: of, basis, timeZone, from, to, groupBy, asOf: asOfResource({ checkpoint: asOf }) });

const shownTotals = (totals: ReportAnswer['totals'], personal: PersonalData) =>
  totals.map((total) => shown(sumsResource(total), personal));

/** A report for a caller. */
export const reportResource = (
  question: ReportQuestion,
  answer: ReportAnswer,
  personal: PersonalData,
): ReportResource => ({
  ...aboutReport(question, answer),
  rows: answer.rows.map((row) => shownRow(row, personal)),
  totals: shownTotals(answer.totals, personal),
});

/** The same rows as JSON, for as long. */
const written = { shown: new WeakMap<ReportRow, string>(), masked: new WeakMap<ReportRow, string>() };

const rowJson = (row: ReportRow, personal: PersonalData): string => {
  const rows = written[personal === 'shown' ? 'shown' : 'masked'];
  const before = rows.get(row);
  if (before !== undefined) return before;
  const json = JSON.stringify(shown(rowResource(row), personal));
  rows.set(row, json);
  return json;
};

/** The same report as JSON. It has no member that its codec would leave out. */
export const reportJson = (question: ReportQuestion, answer: ReportAnswer, personal: PersonalData): string => {
  const about = JSON.stringify(aboutReport(question, answer)).slice(0, -1);
  const rows = answer.rows.map((row) => rowJson(row, personal)).join(',');
  return `${about},"rows":[${rows}],"totals":${JSON.stringify(shownTotals(answer.totals, personal))}}`;
};
