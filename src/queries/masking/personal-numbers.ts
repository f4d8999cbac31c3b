import { daysBetween } from '../../../projections/match/ageing.ts';
import { branded } from '../../domain/brand.ts';
import type { BusinessDay } from '../../domain/business-day.ts';
import { isIban } from '../../domain/iban.ts';
import { hasVerhoeffDigit } from '../../domain/verhoeff.ts';

/** Letters and digits: anything else parts words. */
const BETWEEN_WORDS = /[^A-Z\d]+/;

/** What may be an IBAN as people write it, in groups of four. */
const GROUPS = /(?<![A-Z\d])[A-Z]{2}\d{2}(?: [A-Z\d]{4}){2,7}(?: [A-Z\d]{1,3}(?![A-Z\d]))?/g;

/** Of the income tax of India. */
const PAN = /^[A-Z]{5}\d{4}[A-Z]$/;

/** Twelve digits, as the card has them or at a stretch. */
const AADHAAR = /(?<![A-Za-z\d])[2-9]\d{3}([ -]?)\d{4}\1\d{4}(?![A-Za-z\d])/g;

/** A mobile number of India, with the code of the country or without, or any number behind a plus. */
const PHONE = /(?<![A-Za-z\d+])(?:(?:\+|00)?91[ -]?|0)?[6-9]\d{4}[ -]?\d{5}(?![A-Za-z\d])|\+\d[\d ().-]{6,18}\d/g;

/** A payment as UPI and IMPS number it: last digit of the year, day of the year, hour, and six more. */
const NUMBER_OF_DAY = /^(\d)(\d{3})(?:[01]\d|2[0-3])\d{6}$/;

/** How long before its booking a payment was made at the most, in days; one may be booked ahead of midnight. */
const MOST_DAYS_BEFORE = 10;

/** Whether digits are the number that UPI or IMPS gave to a payment of a day shortly before this one. */
const isOfDay = (digits: string, bookedOn: BusinessDay): boolean => {
  const [, lastOfYear, day] = NUMBER_OF_DAY.exec(digits) ?? [];
  if (lastOfYear === undefined) return false;
  const booked = Number(bookedOn.slice(0, 4));
  const year = [booked, booked - 1, booked + 1].find((its) => String(its).endsWith(lastOfYear));
  if (year === undefined) return false;
  const made = new Date(Date.UTC(year, 0, Number(day))).toISOString().slice(0, 10);
  const days = daysBetween(branded<BusinessDay>(made), bookedOn);
  return days >= -1 && days <= MOST_DAYS_BEFORE;
};

const hasIbanInGroups = (text: string): boolean =>
  [...text.matchAll(GROUPS)].some(([found]) => {
    const groups = found.split(' ');
    return groups.some((_, at) => isIban(groups.slice(0, at + 1).join('')));
  });

/** Whether a text has an IBAN in it, or a PAN: what is of this form is hardly anything else. */
export const hasIbanOrPan = (text: string): boolean => {
  const upper = text.toUpperCase();
  const words = upper.split(BETWEEN_WORDS);
  return (
    words.some((word) => PAN.test(word) || isIban(word) || isIban(word.replace(/^IBAN/, ''))) ||
    isIban(words.join('')) ||
    hasIbanInGroups(upper)
  );
};

/**
 * Whether a text has a phone number or an Aadhaar in it. Both are plain digits, as numbers of payments are: one of a day
 * shortly before the booking is taken for that.
 */
export const hasPhoneOrAadhaar = (text: string, bookedOn: BusinessDay): boolean => {
  const isNoPayment = (found: string): boolean => !isOfDay(found, bookedOn);
  return (
    [...text.matchAll(PHONE)].some(([found]) => isNoPayment(found)) ||
    [...text.matchAll(AADHAAR)].some(([found]) => hasVerhoeffDigit(found.replaceAll(/\D/g, '')) && isNoPayment(found))
  );
};
