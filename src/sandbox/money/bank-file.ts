import type { BusinessDay } from '../../domain/business-day.ts';
import { amountText } from './bank-entry.ts';
import type { BankStatement } from './bank-statements.ts';
import { camtStatement } from './camt-statement.ts';
import { csvStatement } from './csv-statement.ts';
import { mt940Statement } from './mt940-statement.ts';

/** The formats that the sandbox's bank writes, as imports name them (docs/spec/statements.md, Formats). */
export const BANK_FORMATS = ['camt.053', 'mt940', 'csv'] as const;

export type BankFormat = (typeof BANK_FORMATS)[number];

/** A file of the sandbox's bank. */
export type BankFile = {
  /** `INR-2026-03.xml` */
  readonly name: string;
  readonly format: BankFormat;
  readonly account: string;
  readonly currency: string;
  readonly from: BusinessDay;
  readonly to: BusinessDay;
  readonly lines: number;
  /** Null where the format has no balances. */
  readonly opening: string | null;
  readonly closing: string | null;
  readonly text: string;
};

const WRITERS: Readonly<Record<BankFormat, { readonly end: string; readonly write: (it: BankStatement) => string }>> = {
  'camt.053': { end: 'xml', write: camtStatement },
  mt940: { end: 'sta', write: mt940Statement },
  csv: { end: 'csv', write: csvStatement },
};

/** Banks of different countries write differently; one that is not listed writes CSV. */
const USUAL: ReadonlyMap<string, BankFormat> = new Map([
  ['INR', 'camt.053'],
  ['EUR', 'mt940'],
]);

/** The file of a statement, in a format, or in the usual one of its currency. */
export const bankFile = (statement: BankStatement, asked: BankFormat | null): BankFile => {
  const { period, account, currency, from, to, lines, opening, closing } = statement;
  const format = asked ?? USUAL.get(currency) ?? 'csv';
  const { end, write } = WRITERS[format];
  const hasBalances = format !== 'csv';
  return {
    name: `${currency}-${period}.${end}`,
    format,
    account,
    currency,
    from,
    to,
    lines: lines.length,
    opening: hasBalances ? amountText(opening) : null,
    closing: hasBalances ? amountText(closing) : null,
    text: write(statement),
  };
};
