import { withMaskedEmails } from './email-addresses.ts';
import type { PersonalData } from './personal-data.ts';

/** The key of a sum as a caller may see it: whatever text came as a currency. */
export const shownCurrency = (currency: string, personal: PersonalData): string =>
  personal === 'shown' ? currency : withMaskedEmails(currency);
