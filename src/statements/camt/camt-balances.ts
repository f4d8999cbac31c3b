import type { BusinessDay } from '../../domain/business-day.ts';
import type { Decimal } from '../../domain/decimal.ts';
import type { CurrencyCode } from '../../domain/statement-line.ts';
import { negative } from '../amount-text.ts';
import { isUnreadable, unreadable, type StatementUnreadable } from '../unreadable.ts';
import { elementAt, textAt, type XmlElement } from '../xml-element.ts';
import { amountOf, dayIn, directionIn } from './camt-values.ts';

type Balance = {
  readonly code: string;
  readonly amount: Decimal;
  readonly on: BusinessDay | null;
  readonly line: number;
  /** Whether the bank does not say on which side the account was. */
  readonly isUnsigned: boolean;
};

export type CamtBalances = {
  readonly opening: Decimal | null;
  readonly closing: Decimal | null;
  /** Whether they are those of a page that another one precedes, or follows. */
  readonly isFollowing: boolean;
  readonly isFollowed: boolean;
  /** Where the closing balance stands; null where there is none. */
  readonly closingLine: number | null;
};

/** The code of a balance between two pages. */
const INTERIM = 'ITBD';

/** Codes of balances between which the entries of a statement lie, the surest first. */
const OPENING = ['OPBD', 'PRCD', INTERIM];
const CLOSING = ['CLBD', INTERIM];

/** A code of the bank's own, which stands under another name, is none. */
const codeOf = (element: XmlElement): string => textAt(element, 'Tp', 'CdOrPrtry', 'Cd') ?? '';

const balanceIn = (element: XmlElement, currency: CurrencyCode): Balance | StatementUnreadable => {
  const code = codeOf(element);
  const amount = amountOf(elementAt(element, 'Amt'), currency);
  if (amount === null) return unreadable(element.line, 'Bal', `it has no amount in ${currency}`);
  if (isUnreadable(amount)) return amount;
  const isUnsigned = elementAt(element, 'CdtDbtInd') === null;
  const direction = isUnsigned ? 'in' : directionIn(element);
  if (isUnreadable(direction)) return direction;
  const on = dayIn(elementAt(element, 'Dt'));
  if (isUnreadable(on)) return on;
  return { code, amount: direction === 'in' ? amount : negative(amount), on, line: element.line, isUnsigned };
};

/** Of balances of one code the first by day; where days are missing or equal, the first of the file. */
const earliest = (balances: readonly Balance[]): Balance | undefined =>
  balances.reduce<Balance | undefined>(
    (first, balance) =>
      first === undefined || (balance.on !== null && first.on !== null && balance.on < first.on) ? balance : first,
    undefined,
  );

const latest = (balances: readonly Balance[]): Balance | undefined =>
  balances.reduce<Balance | undefined>(
    (last, balance) =>
      last === undefined || balance.on === null || last.on === null || balance.on >= last.on ? balance : last,
    undefined,
  );

/** The one day of all balances between which the entries lie; null where they are of several, or say none. */
export const camtDay = (elements: readonly XmlElement[]): BusinessDay | null => {
  const days = elements
    .filter((element) => ['OPBD', 'CLBD'].includes(codeOf(element)))
    .map((element) => dayIn(elementAt(element, 'Dt')));
  const [first = null] = days;
  return first !== null && !isUnreadable(first) && days.length > 1 && days.every((day) => day === first) ? first : null;
};

/** What an account had before and after the entries of its statement. */
export const camtBalances = (
  elements: readonly XmlElement[],
  currency: CurrencyCode,
): CamtBalances | StatementUnreadable => {
  const booked: Balance[] = [];
  for (const element of elements) {
    const code = codeOf(element);
    if (!OPENING.includes(code) && !CLOSING.includes(code)) continue;
    const balance = balanceIn(element, currency);
    if (isUnreadable(balance)) return balance;
    booked.push(balance);
  }
  const coded = (code: string): readonly Balance[] => booked.filter((balance) => balance.code === code);
  const opening = OPENING.map((code) => earliest(coded(code))).find((found) => found !== undefined);
  // A page between two others has two interim balances; a single one is the end of the first page or the start of the last.
  const closing = CLOSING.map((code) => latest(coded(code))).find((found) => found !== undefined && found !== opening);
  // Some clearing houses leave the side of a credit out. It is believed where the sum of the entries is held against it.
  const unproven = opening === undefined || closing === undefined ? [opening, closing] : [];
  const unsigned = unproven.find((balance) => balance?.isUnsigned === true);
  if (unsigned !== undefined) return unreadable(unsigned.line, 'CdtDbtInd', 'the balance is neither CRDT nor DBIT');
  return {
    opening: opening?.amount ?? null,
    closing: closing?.amount ?? null,
    isFollowing: opening?.code === INTERIM,
    isFollowed: closing?.code === INTERIM,
    closingLine: closing?.line ?? null,
  };
};
