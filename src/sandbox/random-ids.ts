import type { Random } from './random.ts';

const HEX = '0123456789abcdef';
const DIGITS = '0123456789';
const CAPITALS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
/** Crockford's base 32, which ULIDs are written in: without I, L, O and U. */
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const ULID_TIME_CHARACTERS = 10;
const ULID_RANDOM_CHARACTERS = 16;

export const randomHex = (random: Random, digits: number): string => random.text(HEX, digits);

export const randomDigits = (random: Random, count: number): string => random.text(DIGITS, count);

/** A version 4 UUID. */
export const randomUuid = (random: Random): string => {
  const hex = (digits: number): string => randomHex(random, digits);
  return `${hex(8)}-${hex(4)}-4${hex(3)}-${random.text('89ab', 1)}${hex(3)}-${hex(12)}`;
};

/** A ULID of a moment: 48 bits of milliseconds since the Unix epoch, 80 random ones. */
export const randomUlid = (random: Random, epochMs: number): string => {
  let time = '';
  for (let rest = Math.max(0, Math.trunc(epochMs)); time.length < ULID_TIME_CHARACTERS; rest = Math.floor(rest / 32)) {
    time = CROCKFORD.charAt(rest % 32) + time;
  }
  return time + random.text(CROCKFORD, ULID_RANDOM_CHARACTERS);
};

/** `0x` and 40 hex digits. */
export const randomWallet = (random: Random): string => `0x${randomHex(random, 40)}`;

/** `0x` and 64 hex digits. */
export const randomTxnHash = (random: Random): string => `0x${randomHex(random, 64)}`;

/** A bank's payout reference, in the forms of UPI (12 digits), IMPS (12 to 16) and NEFT (16 to 22 letters and digits). */
export const randomUtr = (random: Random): string => {
  if (random.onceIn(3)) return `${random.text(CAPITALS, 4)}N${randomDigits(random, 17)}`;
  return `${random.below(9) + 1}${randomDigits(random, random.onceIn(2) ? 11 : 15)}`;
};
