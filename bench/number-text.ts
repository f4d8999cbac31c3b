/** Stands in a table where there is no figure. */
export const NONE = '–';

const MIB = 1_048_576;

const wholeFormat = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** A number without fraction, its thousands apart. */
export const whole = (value: number): string => wholeFormat.format(value);

/** Bytes as MiB. */
export const mib = (bytes: number | null | undefined): string =>
  bytes === null || bytes === undefined ? NONE : whole(bytes / MIB);
