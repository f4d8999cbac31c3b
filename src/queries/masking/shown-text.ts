import { withMaskedEmails } from './email-addresses.ts';
import type { PersonalData } from './personal-data.ts';

/** A text that anything may stand in, as a currency or a note, as a caller may see it: without e-mail addresses where these are masked. */
export const shownText = (text: string, personal: PersonalData): string =>
  personal === 'shown' ? text : withMaskedEmails(text);

/** Those of some texts that a caller may see whole, each once: what is masked can't be chosen by. */
export const shownWhole = (texts: readonly string[], personal: PersonalData): readonly string[] =>
  [...new Set(texts)].filter((text) => shownText(text, personal) === text);
