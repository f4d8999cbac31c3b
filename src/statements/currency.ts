import { madeOnce } from '../domain/made-once.ts';
import { parseCurrencyCode, type CurrencyCode } from '../domain/statement-line.ts';

const current = madeOnce((): ReadonlySet<string> => new Set(Intl.supportedValuesOf('currency')));

/** The names of currencies in English, of those too that are history. */
const names = madeOnce(() => new Intl.DisplayNames('en', { type: 'currency', fallback: 'none' }));

/** Codes of ISO 4217 that begin so and are not in use stand for metals, tests and no currency at all. */
const isNoMoney = (code: string): boolean => code.startsWith('X');

/** A currency that ISO 4217 has or had; null for anything else. */
export const knownCurrency = (text: string): CurrencyCode | null => {
  const code = parseCurrencyCode(text.trim());
  if (code === null || current().has(code)) return code;
  return isNoMoney(code) || names().of(code) === undefined ? null : code;
};
