import { upperAscii } from '../../domain/letter-case.ts';
import { parseBusinessDay, type BusinessDay } from '../../domain/business-day.ts';
import { isNegative, type Decimal } from '../../domain/decimal.ts';
import type { CurrencyCode, Direction } from '../../domain/statement-line.ts';
import { plainAmount } from '../amount-text.ts';
import { unreadable, type StatementUnreadable } from '../unreadable.ts';
import { elementAt, textAt, type XmlElement } from '../xml-element.ts';

/** The day of a date, or of a date with time and offset, as the bank wrote it; null where the element has none. */
export const dayIn = (element: XmlElement | null): BusinessDay | StatementUnreadable | null => {
  if (element === null) return null;
  const text = textAt(element, 'Dt') ?? textAt(element, 'DtTm') ?? element.text.trim();
  if (text === '') return null;
  const rest = text.slice(10);
  const day = rest === '' || /^(?:T|[+-]\d\d:\d\d$|Z$)/.test(rest) ? parseBusinessDay(text.slice(0, 10)) : null;
  return day ?? unreadable(element.line, element.name, `"${text.slice(0, 40)}" is no date`);
};

const DIRECTIONS: ReadonlyMap<string, Direction> = new Map([
  ['CRDT', 'in'],
  ['DBIT', 'out'],
]);

/** What `CdtDbtInd` says of an entry, a detail or a balance. */
export const directionIn = (element: XmlElement): Direction | StatementUnreadable => {
  const text = textAt(element, 'CdtDbtInd');
  return (
    DIRECTIONS.get(text ?? '') ??
    unreadable(elementAt(element, 'CdtDbtInd')?.line ?? element.line, 'CdtDbtInd', 'it is neither CRDT nor DBIT')
  );
};

/** An amount of this currency, never negative; null where the element is not there, or is of another currency. */
export const amountOf = (amount: XmlElement | null, currency: CurrencyCode): Decimal | StatementUnreadable | null => {
  if (amount === null || (amount.currency !== null && upperAscii(amount.currency.trim()) !== currency)) return null;
  const read = plainAmount(amount.text.trim());
  return read === null || isNegative(read)
    ? unreadable(amount.line, 'Amt', `"${amount.text.trim().slice(0, 40)}" is no amount`)
    : read;
};
