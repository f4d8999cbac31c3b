import type { BusinessDay } from '../../domain/business-day.ts';
import type { Decimal } from '../../domain/decimal.ts';
import type { CurrencyCode } from '../../domain/statement-line.ts';
import { negative } from '../amount-text.ts';
import { knownCurrency } from '../currency.ts';
import { unreadable, type StatementUnreadable } from '../unreadable.ts';
import type { Mt940Field } from './mt940-fields.ts';
import { mt940Amount, mt940Day } from './mt940-values.ts';

export type Mt940Balance = {
  /** Null where the bank writes zeros, as for an account that nothing was booked on yet. */
  readonly on: BusinessDay | null;
  readonly currency: CurrencyCode;
  readonly amount: Decimal;
  readonly line: number;
};

const BALANCE = /^([CD]) ?(\d{8}|\d{6}) ?([A-Z]{3}) ?([\d.,]+)$/;

/** Reads field 60 or 62; an amount of D is negative. */
export const mt940Balance = (field: Mt940Field): Mt940Balance | StatementUnreadable => {
  const text = (field.lines[0] ?? '').trim();
  const name = `:${field.tag}:`;
  const match = BALANCE.exec(text);
  if (match === null) return unreadable(field.line, name, `"${text.slice(0, 40)}" is no balance`);
  const [, mark = '', dayText = '', currencyText = '', amountText = ''] = match;
  const on = mt940Day(dayText);
  if (on === null && !/^0+$/.test(dayText)) return unreadable(field.line, name, `"${dayText}" is no date`);
  const currency = knownCurrency(currencyText);
  if (currency === null) return unreadable(field.line, name, `"${currencyText}" is no currency`);
  const amount = mt940Amount(amountText);
  if (amount === null) return unreadable(field.line, name, `"${amountText}" is no amount`);
  return { on, currency, amount: mark === 'D' ? negative(amount) : amount, line: field.line };
};
