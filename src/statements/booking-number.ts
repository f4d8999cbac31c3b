import type { BankLine } from '../domain/statement-line.ts';

/** Where a word ends. */
const BETWEEN_WORDS = /[\s/,;:()-]+/u;
const NO_DIGIT = /\D+/g;

/** A UTR, a UPI reference and what banks call their own entries have so many digits at least: more than a date or an amount. */
const FEWEST_DIGITS = 9;

/**
 * Whether a line has a number in it by which banks tell bookings apart, such as a UTR: another booking that says the same is
 * hardly ever there. A line without one, such as a fee, may be there many times a day.
 */
export const hasBookingNumber = ({ references, text }: Pick<BankLine, 'references' | 'text'>): boolean =>
  [...references, text].some((said) =>
    said.split(BETWEEN_WORDS).some((word) => word.replaceAll(NO_DIGIT, '').length >= FEWEST_DIGITS),
  );
