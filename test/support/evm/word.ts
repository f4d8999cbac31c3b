const DIGITS = 64;

/** An address or a number as the 32 bytes that calls and logs have it as, in hex. */
export const wordOf = (value: string | bigint): string =>
  (typeof value === 'bigint' ? value.toString(16) : value.slice(2).toLowerCase()).padStart(DIGITS, '0');
