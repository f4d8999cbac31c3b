import { knownCurrency } from '../currency.ts';

/** A currency as formats name it, with the language beside it or without: `[$USD]`, `[$€-2]`; `[$-409]` names a language alone. */
const NAMED = /\[\$([^\][-]{1,40})(?:-[^\][]{0,40})?\]/g;

/** What stands as it is written, in quotation marks. */
const QUOTED = /"([^"]*)"/g;

/** Whether a workbook's styles have a format that may name a currency. The signs that a program writes by the reader's own settings name none. */
export const mayNameCurrency = (styles: string): boolean =>
  /\[\$[^\]-]/.test(styles) || /(?:"|&quot;) ?[A-Z]{3} ?&quot;/.test(styles);

/** The currencies that the format of a number writes beside it, which people see and the number does not say. */
export const numberCurrencies = (format: string): readonly string[] => [
  ...[...format.matchAll(NAMED)].map(([, name = '']) => name.trim()),
  ...[...format.matchAll(QUOTED)]
    .map(([, text = '']) => text.trim())
    .filter((text) => /^[A-Z]{3}$/.test(text) && knownCurrency(text) !== null),
];
