import type { Big } from 'big.js';
import { amountText, type BankEntry } from './bank-entry.ts';
import type { BankStatement } from './bank-statements.ts';

const shortDay = (day: string): string => day.slice(2).replaceAll('-', '');

/** With a comma, which the format wants even where no decimals follow. */
const figure = (amount: Big): string => amountText(amount.abs()).replace('.', ',');

const balance = (tag: string, amount: Big, currency: string, day: string): string =>
  `:${tag}:${amount.lt(0) ? 'D' : 'C'}${shortDay(day)}${currency}${figure(amount)}`;

/** A reversal is told by what it takes back: RD brings the money of a debit in again. */
const mark = ({ direction, reversal }: BankEntry): string =>
  reversal ? (direction === 'in' ? 'RD' : 'RC') : direction === 'in' ? 'C' : 'D';

const details = ({ reference, text }: BankEntry): string =>
  reference === null ? text : `/EREF/${reference}/REMI/${text}`;

const entry = (line: BankEntry): readonly string[] => [
  `:61:${shortDay(line.bookedOn)}${line.bookedOn.slice(5).replace('-', '')}${mark(line)}${figure(line.amount)}NTRFNONREF`,
  `:86:${details(line)}`,
];

/** A statement as MT940, its details between slashes. Each fits one line of the format, so that nothing is wrapped. */
export const mt940Statement = (statement: BankStatement): string => {
  const { period, account, currency, from, to, opening, closing, lines } = statement;
  return [
    `:20:${currency}${period.replaceAll('-', '')}`,
    `:25:${account}`,
    ':28C:1/1',
    balance('60F', opening, currency, from),
    ...lines.flatMap(entry),
    balance('62F', closing, currency, to),
    '-',
    '',
  ].join('\r\n');
};
