const UNITS = ['KiB', 'MiB', 'GiB', 'TiB'] as const;
const KIB = 1_024;

const FORMAT = { maximumSignificantDigits: 3, useGrouping: false } as const;

/** How much some bytes are, in the largest unit that they fill: `812 bytes`, `1.5 GiB`. */
export const sizeText = (bytes: number): string => {
  if (bytes < KIB) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  const power = Math.min(UNITS.length, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / KIB ** power).toLocaleString('en', FORMAT)} ${UNITS[power - 1] ?? ''}`;
};
