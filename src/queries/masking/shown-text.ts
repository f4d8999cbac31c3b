import { maskedFact, maskedPlainText } from './masking.ts';
import type { PersonalData } from './personal-data.ts';

/** A text that anything may stand in, as a currency or a note, as a caller may see it: personal data in it is masked. */
export const shownText = (text: string, personal: PersonalData): string =>
  personal === 'shown' ? text : maskedPlainText(text);

/**
 * A fact of an order as a caller may see it, by its place in the order. What orders are matched by, `payouts.utr`, `txnHash` and
 * `walletAddress`, is never masked.
 */
export const shownFact = (path: string, value: string, personal: PersonalData): string =>
  personal === 'shown' ? value : maskedFact(path, value);

/** Those of some texts that a caller may see whole, each once: what is masked can't be chosen by. */
export const shownWhole = (texts: readonly string[], personal: PersonalData): readonly string[] =>
  [...new Set(texts)].filter((text) => shownText(text, personal) === text);
