import { branded } from '../../domain/brand.ts';
import type { BusinessDay } from '../../domain/business-day.ts';
import { isNegative, type Decimal } from '../../domain/decimal.ts';
import { exactOf, isZero } from '../../domain/exact.ts';
import type { AccountName, BankLine, CurrencyCode } from '../../domain/statement-line.ts';
import { magnitude, negative } from '../amount-text.ts';
import { canMean } from '../currency-sign.ts';
import { knownCurrency } from '../currency.ts';
import { mayBeGroup } from '../group-of-three.ts';
import { joinedText, lineReferences, namesPayment } from '../references.ts';
import { isUnreadable, unreadable, type StatementUnreadable } from '../unreadable.ts';
import type { StatementProfile } from '../../domain/statement-profile.ts';
import { directedFigure, type DirectedFigure, type WrittenFigure } from './directed-figure.ts';
import { tableFigure } from './table-amount.ts';
import type { TableColumns } from './table-columns.ts';
import type { DateReader } from './table-date.ts';
import { textCell, type TableCell, type TableRow } from './table-row.ts';

/** How the rows of one file are read. */
export type TableReading = {
  readonly profile: StatementProfile;
  readonly columns: TableColumns;
  readonly date: DateReader;
  /** Where the rows themselves name none. */
  readonly account: AccountName | null;
  readonly currency: CurrencyCode | null;
};

const EMPTY = textCell('');

/** What banks write into an empty column of figures. */
const NOTHING = /^[-–]?$/;

const MORE_DIGITS = 'it is a number of more than 15 digits, of which a workbook loses the last';

const quoted = ({ text }: TableCell): string => `"${text.trim().slice(0, 40)}"`;

const notZero = (figure: WrittenFigure | null): WrittenFigure | null =>
  figure === null || isZero(exactOf(figure.amount)) ? null : figure;

const written = (amount: Decimal): WrittenFigure => ({ amount, said: isNegative(amount) ? 'out' : null });

/** Reads one row as a line of the bank. */
export const tableLine = (row: TableRow, reading: TableReading): BankLine | StatementUnreadable => {
  const { profile, columns } = reading;
  const cellAt = (column: number): TableCell => row.cells[column] ?? EMPTY;
  const wrong = (field: string, detail: string): StatementUnreadable => unreadable(row.line, field, detail);

  const dayAt = (column: number, field: string): BusinessDay | StatementUnreadable => {
    const cell = cellAt(column);
    if (cell.formula) return wrong(field, 'it is a formula');
    if (cell.day !== null) return cell.day;
    const written = reading.date(cell.text);
    const iso = cell.isoDay;
    if (written !== null && iso !== null && written !== iso)
      return wrong(
        field,
        `${quoted(cell)} is ${written} in the form ${profile.dateFormat}, and ${iso} as workbooks write dates`,
      );
    return written ?? iso ?? wrong(field, `${quoted(cell)} is no date of the form ${profile.dateFormat}`);
  };
  const amountAt = (
    column: number,
    field: string,
    currency: CurrencyCode,
  ): WrittenFigure | StatementUnreadable | null => {
    const cell = cellAt(column);
    if (cell.formula) return wrong(field, 'it is a formula');
    if (cell.rounded) return wrong(field, MORE_DIGITS);
    if (NOTHING.test(cell.text.trim())) return null;
    const foreignIn = (currencies: readonly string[]): StatementUnreadable | null => {
      const foreign = currencies.find((one) => !canMean(one, currency));
      return foreign === undefined
        ? null
        : wrong(field, `"${foreign.slice(0, 40)}" stands beside it, and the line is in ${currency}`);
    };
    const foreignFormat = foreignIn(cell.currencies);
    if (foreignFormat !== null) return foreignFormat;
    if (cell.mark === 'unclear' || (cell.mark === 'in' && cell.number !== null && isNegative(cell.number)))
      return wrong(field, 'the format of its number writes CR or DR beside it, and does not say which way it went');
    if (cell.number !== null)
      return cell.mark === null
        ? written(cell.number)
        : { amount: cell.mark === 'out' ? negative(magnitude(cell.number)) : cell.number, said: cell.mark };
    const figure = tableFigure(cell.text, profile.decimal);
    if (figure === null) return wrong(field, `${quoted(cell)} is no amount`);
    const foreign = foreignIn(figure.currencies);
    if (foreign !== null) return foreign;
    return profile.decimal === null && mayBeGroup(figure.amount, currency)
      ? wrong(
          field,
          `${quoted(cell)} may be a thousand times as much: the profile does not say by decimal whether its last three digits are decimals`,
        )
      : figure;
  };
  const figureIn = (currency: CurrencyCode): DirectedFigure | StatementUnreadable => {
    if (typeof columns.amount === 'number' || typeof profile.amount === 'string') {
      const name = typeof profile.amount === 'string' ? profile.amount : '';
      const figure = typeof columns.amount === 'number' ? amountAt(columns.amount, name, currency) : null;
      if (figure === null) return wrong(name, 'there is no amount');
      if (isUnreadable(figure)) return figure;
      if (columns.direction !== null)
        return directedFigure(figure, cellAt(columns.direction), (detail) => wrong(profile.direction ?? '', detail));
      return { amount: magnitude(figure.amount), direction: isNegative(figure.amount) ? 'out' : 'in' };
    }
    const credit = amountAt(columns.amount.credit, profile.amount.credit, currency);
    if (isUnreadable(credit)) return credit;
    const debit = amountAt(columns.amount.debit, profile.amount.debit, currency);
    if (isUnreadable(debit)) return debit;
    const [came, went] = [notZero(credit), notZero(debit)];
    if (came !== null && went !== null)
      return wrong(profile.amount.credit, `it stands beside an amount in ${profile.amount.debit}`);
    if (came !== null && isNegative(came.amount)) return wrong(profile.amount.credit, 'it is negative');
    if (went?.said === 'in') return wrong(profile.amount.debit, 'it is marked as a credit');
    if (went !== null) return { amount: magnitude(went.amount), direction: 'out' };
    if (came !== null) return { amount: came.amount, direction: 'in' };
    const zero = credit ?? debit;
    return zero === null
      ? wrong(profile.amount.credit, `there is no amount, nor is there one in ${profile.amount.debit}`)
      : { amount: zero.amount, direction: credit === null ? 'out' : 'in' };
  };

  const bookedOn = dayAt(columns.date, profile.date);
  if (isUnreadable(bookedOn)) return bookedOn;
  const valueOn =
    columns.valueDate === null || cellAt(columns.valueDate).text.trim() === ''
      ? bookedOn
      : dayAt(columns.valueDate, profile.valueDate ?? '');
  if (isUnreadable(valueOn)) return valueOn;
  const currencyText = columns.currency === null ? '' : cellAt(columns.currency).text.trim();
  const currency = currencyText === '' ? reading.currency : knownCurrency(currencyText);
  if (currency === null)
    return wrong(
      profile.currency ?? 'currency',
      currencyText === '' ? 'the account has no currency' : `"${currencyText.slice(0, 40)}" is no currency`,
    );
  const figure = figureIn(currency);
  if (isUnreadable(figure)) return figure;
  const accountText = columns.account === null ? '' : cellAt(columns.account).text.trim();
  const account = accountText === '' ? reading.account : branded<AccountName>(accountText);
  if (account === null) return wrong(profile.account ?? 'account', 'the line names no account, nor does the request');
  const cut = columns.reference.find((column) => cellAt(column).rounded);
  if (cut !== undefined) return wrong('reference', `${quoted(cellAt(cut))}: ${MORE_DIGITS}`);
  return {
    account,
    currency,
    bookedOn,
    valueOn,
    ...figure,
    reversal: false,
    ...lineReferences(columns.reference.map((column) => namesPayment(cellAt(column).text))),
    text: joinedText(columns.text.map((column) => cellAt(column).text)),
    raw: row.raw,
  };
};
