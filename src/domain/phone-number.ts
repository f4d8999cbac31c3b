/** What people part the digits of a number with; texts that are copied have other hyphens than those that are typed. */
const BETWEEN_DIGITS = /[\s().\u2010-\u2013-]/g;

/** A phone number as somebody wrote it: its digits, and whether a `+` says that they begin with the country's. */
export type PhoneNumber = { readonly digits: string; readonly isInternational: boolean };

/** The phone number that a text can be, `(022) 2345-6789` say; null where it has anything that no number has. */
export const phoneNumber = (text: string): PhoneNumber | null => {
  const bare = text.replaceAll(BETWEEN_DIGITS, '');
  if (!/^\+?\d+$/.test(bare)) return null;
  const isInternational = bare.startsWith('+');
  return { digits: isInternational ? bare.slice(1) : bare, isInternational };
};
