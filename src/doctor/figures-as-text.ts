const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

/** A count with its noun: `1 event`, `12,000 events`. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${whole.format(count)} ${count === 1 ? noun : plural}`;

const BYTE_UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;
const KIB = 1_024;

/** Bytes in the largest unit that they fill: `1.5 GiB`. */
export const bytesText = (bytes: number): string => {
  const power = Math.min(BYTE_UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10));
  return `${short.format(bytes / KIB ** power)} ${BYTE_UNITS[power] ?? ''}`;
};

const TIME_UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** A span of milliseconds in the largest unit that it fills: `3 minutes`; one below a second is none. */
export const spanText = (ms: number): string => {
  for (const [unit, size] of TIME_UNITS) if (ms >= size) return counted(Math.floor(ms / size), unit);
  return '0 seconds';
};
