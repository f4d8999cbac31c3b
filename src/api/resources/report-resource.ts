import type { ReportRow, ReportSums, TokenLine } from '../../../projections/report/index.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { ReportAnswer, ReportQuestion } from '../../read-models/read-models.ts';
import { withoutEmails } from '../masking.ts';
import { jsonNumber } from './json-number.ts';
import type { PersonalData } from './order-resource.ts';

const tokenResource = ({ chainId, ...line }: TokenLine): JsonObject => ({
  symbol: line.symbol,
  address: line.address,
  chainId: jsonNumber(chainId),
  amount: line.amount,
  baseUnits: line.baseUnits,
  averageConversionRate: line.averageConversionRate,
});

const sumsResource = ({ currency, orders, byStatus, fiat, tokens, commission, tds, anomalies }: ReportSums) => ({
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

const rowResource = ({ day, month, token, chainId, ...sums }: ReportRow): JsonObject => ({
  ...(day === undefined ? {} : { day }),
  ...(month === undefined ? {} : { month }),
  ...(token === undefined ? {} : { token }),
  ...(chainId === undefined ? {} : { chainId: jsonNumber(chainId) }),
  ...sumsResource(sums),
});

const masked = (object: JsonObject, personal: PersonalData): JsonObject =>
  personal === 'shown' ? object : withoutEmails(object);

/** A report as callers see it, its members in the order of contract.md, A report. */
export const reportResource = (
  { flow, basis, from, to, groupBy }: ReportQuestion,
  { timeZone, asOf, rows, totals }: ReportAnswer,
  personal: PersonalData,
): { readonly rows: readonly JsonObject[] } & JsonObject => ({
  flow,
  basis,
  timeZone,
  from,
  to,
  groupBy,
  asOf: { position: asOf?.position ?? null, at: asOf?.at ?? null },
  rows: rows.map((row) => masked(rowResource(row), personal)),
  totals: totals.map((total) => masked(sumsResource(total), personal)),
});
