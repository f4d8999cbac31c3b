import type { Decimal } from '../../domain/decimal.ts';
import { exactOf, exactOrd, plus, ZERO } from '../../domain/exact.ts';
import type { CurrencyCode, Direction } from '../../domain/statement-line.ts';
import { signed } from '../check-balances.ts';
import { isUnreadable } from '../unreadable.ts';
import { elementAt, type XmlElement } from '../xml-element.ts';
import { amountOf, directionIn } from './camt-values.ts';

/** One payment of a batch entry. */
export type CamtDetail = { readonly element: XmlElement; readonly amount: Decimal; readonly direction: Direction };

/** Where versions and banks put the amount of a detail, the surest first. */
const PLACES: readonly (readonly string[])[] = [
  ['Amt'],
  ['AmtDtls', 'TxAmt', 'Amt'],
  ['AmtDtls', 'PrtryAmt', 'Amt'],
  ['AmtDtls', 'InstdAmt', 'Amt'],
];

const detailAt = (
  element: XmlElement,
  place: readonly string[],
  currency: CurrencyCode,
  direction: Direction,
): CamtDetail | null => {
  const amount = amountOf(elementAt(element, ...place), currency);
  if (amount === null || isUnreadable(amount)) return null;
  const own = elementAt(element, 'CdtDbtInd') === null ? direction : directionIn(element);
  return isUnreadable(own) ? null : { element, amount, direction: own };
};

/**
 * The payments of a batch, where each has an amount in the account's currency and together they are the entry's (docs/spec/statements.md,
 * camt.053); null where the entry stands for itself.
 */
export const batchDetails = (
  details: readonly XmlElement[],
  entry: { readonly amount: Decimal; readonly direction: Direction },
  currency: CurrencyCode,
): readonly CamtDetail[] | null => {
  if (details.length < 2) return null;
  for (const place of PLACES) {
    const read = details.flatMap((element) => detailAt(element, place, currency, entry.direction) ?? []);
    if (read.length < details.length) continue;
    const total = read.reduce((sum, detail) => plus(sum, signed(detail)), ZERO);
    if (exactOrd.equals(total, signed(entry))) return read;
    // Some banks repeat the direction of the payments themselves on all details of an entry that takes them back. Details of
    // both directions do not: together they are another figure than the entry's.
    if (new Set(read.map(({ direction }) => direction)).size > 1) continue;
    const plain = read.reduce((sum, { amount }) => plus(sum, exactOf(amount)), ZERO);
    if (exactOrd.equals(plain, exactOf(entry.amount)))
      return read.map((detail) => ({ ...detail, direction: entry.direction }));
  }
  return null;
};
