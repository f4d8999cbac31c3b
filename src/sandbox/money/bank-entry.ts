import type { Big } from 'big.js';
import { branded } from '../../domain/brand.ts';
import type { BusinessDay } from '../../domain/business-day.ts';

/** How a line names what it is for, by the rule that finds it (docs/spec/match.md, Rules). */
export type NamedBy = 'utr' | 'utr-in-text' | 'reference' | 'amount-and-day';

/** What the bank books, and what it is for. */
export type BankEntry = {
  /** Orders that it is for; none for a line that no order knows. */
  readonly orderIds: readonly string[];
  readonly namedBy: NamedBy | null;
  /** The currency of the account. */
  readonly currency: string;
  readonly bookedOn: BusinessDay;
  readonly amount: Big;
  readonly direction: 'in' | 'out';
  readonly reversal: boolean;
  readonly reference: string | null;
  readonly text: string;
};

const DAY = 86_400_000;
const USUAL_PLACES = 2;

/** A day of the calendar so many days later. */
export const laterDay = (day: BusinessDay, days: number): BusinessDay =>
  branded<BusinessDay>(new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10));

/** As banks write it: with two decimals, or more where it has more. */
export const amountText = (amount: Big): string => {
  const plain = amount.toFixed();
  const [, decimals = ''] = plain.split('.');
  return decimals.length > USUAL_PLACES ? plain : amount.toFixed(USUAL_PLACES);
};
