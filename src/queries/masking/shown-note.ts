import { withMaskedEmails } from './email-addresses.ts';
import type { PersonalData } from './personal-data.ts';

/** What somebody noted, as a caller may see it: who may not read personal data sees no e-mail address in it. */
export const shownNote = (note: string, personal: PersonalData): string =>
  personal === 'shown' ? note : withMaskedEmails(note);
