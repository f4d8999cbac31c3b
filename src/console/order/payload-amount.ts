import { amount } from '../amount.ts';
import type { Html } from '../html.ts';

/** Members of payloads that are amounts. Others may be made of digits too: references, phone numbers. */
const AMOUNTS: ReadonlySet<string> = new Set([
  'fiat',
  'transferredAmount',
  'transferredAmountWei',
  'tokensDeducted',
  'tds',
  'metaData.commission',
]);

const DECIMAL = /^-?\d{1,78}(\.\d{1,36})?$/;

/** A member of a payload as an amount, all its digits in groups; null where it is none. */
export const payloadAmount = (path: string, text: string): Html | null =>
  AMOUNTS.has(path) && DECIMAL.test(text) ? amount(text) : null;
