import { parseCurrencyCode, type CurrencyCode } from '../domain/statement-line.ts';

const KNOWN = new Set(Intl.supportedValuesOf('currency'));

/** A currency that ISO 4217 has or had; null for anything else. */
export const knownCurrency = (text: string): CurrencyCode | null => {
  const code = parseCurrencyCode(text.trim());
  return code !== null && KNOWN.has(code) ? code : null;
};
