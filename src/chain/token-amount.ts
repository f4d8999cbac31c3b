import { parseBaseUnits, parseDecimal, type BaseUnits, type Decimal } from '../domain/decimal.ts';

/** An explorer's figure, groups of three digits in it or none; `1,5` is none. */
export const tokenAmount = (text: string): Decimal | null =>
  parseDecimal(/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(text) ? text.replaceAll(',', '') : text);

/**
 * The chain's own coin, where an export has it: it stands in one of two columns, by whose page the export is of; the other one is zero.
 *
 * @param fields by their names in small letters, without blanks
 */
export const coinAmount = (fields: ReadonlyMap<string, string>): string => {
  const figures = [...fields].flatMap(([name, text]) => (/^value(?:in|out)\(\w+\)$/.test(name) ? [text] : []));
  return figures.find((text) => !/^0*(?:\.0*)?$/.test(text)) ?? figures.find((text) => text !== '') ?? '';
};

/** An amount in tokens as base units; null where it has more digits than the token. */
export const inBaseUnits = (amount: Decimal, decimals: number): BaseUnits | null => {
  const [whole = '', fraction = ''] = amount.split('.');
  let end = fraction.length;
  while (end > 0 && fraction.charAt(end - 1) === '0') end -= 1;
  const digits = fraction.slice(0, end);
  return digits.length > decimals ? null : parseBaseUnits(`${whole}${digits.padEnd(decimals, '0')}`);
};
