import { withMaskedEmails } from './email-addresses.ts';
import type { PersonalData } from './personal-data.ts';

/** A text that anything may stand in, as a currency or a note, as a caller may see it: without e-mail addresses where these are masked. */
export const shownText = (text: string, personal: PersonalData): string =>
  personal === 'shown' ? text : withMaskedEmails(text);
