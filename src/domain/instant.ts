import { branded, type Brand } from './brand.ts';
import { guardedText } from './guarded.ts';

/**
 * A moment in UTC as ISO 8601, `2023-03-01T06:31:08.000Z`: milliseconds always, finer digits, down to nanoseconds, only
 * where they came and are not zero. Equal moments are equal texts.
 */
export type Instant = Brand<string, 'Instant'>;

const ISO = /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d)(?:(:\d\d)(?:[.,](\d+))?)?(?:[Zz]|([+-])(\d\d)(?::?(\d\d))?)?$/;

/** What most programs send, and nothing that isn't a moment: there only milliseconds may be missing. 29 February is left to the slower way. */
const USUAL =
  /^\d{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{3})?Z$/;
const WITH_MILLISECONDS = 24;
const MINUTE = 60_000;
/** Where the hour stands in an instant. */
const HOUR_AT = '1970-01-01T'.length;
const FINEST = 9;

/** What a Go program sends for "no time" (docs/spec/provider.md, Off-ramp payload), up to the milliseconds. */
const ZERO_TIMESTAMP = '0001-01-01T00:00:00.000';

const fromParts = (epochMs: number, fraction: string): Instant => {
  const finer = fraction.slice(3, FINEST).replace(/0{1,6}$/, '');
  return branded<Instant>(new Date(epochMs).toISOString().replace('Z', `${finer}Z`));
};

/**
 * An ISO 8601 date and time. With an offset it is moved to UTC; without a zone it is UTC (docs/spec/provider.md: "ISO
 * 8601, UTC"). Null for anything else: a date alone, a day that no calendar has, a year beyond 9999.
 */
export const parseInstant = (text: string): Instant | null => {
  if (USUAL.test(text)) return branded<Instant>(text.length === WITH_MILLISECONDS ? text : text.replace('Z', '.000Z'));
  const match = ISO.exec(text);
  if (match === null) return null;
  const [, day = '', minutes = '', seconds = ':00', fraction = '', sign, offsetHours = '00', offsetMinutes = '00'] =
    match;
  const local = Date.parse(`${day}T${minutes}${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}Z`);
  // Date.parse takes 30 February for 2 March, and 24:00 for the next day.
  if (Number.isNaN(local) || new Date(local).toISOString().slice(0, 10) !== day) return null;
  const away = (Number(offsetHours) * 60 + Number(offsetMinutes)) * MINUTE;
  if (Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return null;
  const epochMs = sign === '-' ? local + away : local - away;
  const year = new Date(epochMs).getUTCFullYear();
  return year >= 0 && year <= 9999 ? fromParts(epochMs, fraction) : null;
};

/** Whether a text is an instant in the spelling that the ledger writes. */
export const isInstant = (text: string): text is Instant => parseInstant(text) === text;

/** The codec of instants. A time in another spelling is none that the ledger wrote: a byte of it was changed. */
export const InstantText = guardedText('instant', isInstant);

const DAY = 86_400_000;
const LAST_DAY = 2_932_896;
const two = (n: number): string => String(n).padStart(2, '0');

/** Parts of an instant by their number, so that it is put together of few texts: minutes of a day, seconds and milliseconds. */
const MINUTES = Array.from({ length: 1_440 }, (_, n) => `${two(Math.floor(n / 60))}:${two(n % 60)}:`);
const SECONDS = Array.from({ length: 60 }, (_, n) => two(n));
const MILLISECONDS = Array.from({ length: 1_000 }, (_, n) => `.${String(n).padStart(3, '0')}Z`);

/** Readings of a clock, and of a log, follow each other: most are of the day of the last one. */
let known = { day: 0, text: '1970-01-01T' };

const dayText = (day: number): string => {
  if (known.day !== day) known = { day, text: new Date(day * DAY).toISOString().slice(0, 11) };
  return known.text;
};

/** The first and the last millisecond that can be written as an instant: those of the years 0000 to 9999. */
const [FIRST_MS, LAST_MS] = [Date.parse('0000-01-01T00:00:00.000Z'), (LAST_DAY + 1) * DAY - 1];

/**
 * The moment of a clock's reading in milliseconds since the Unix epoch; the first or the last one that can be written where a
 * clock stands outside of the years 0000 to 9999: what is recorded then must be read again.
 */
export const instantOf = (epochMs: number): Instant => {
  const day = Math.floor(epochMs / DAY);
  // toISOString costs ten times as much; it is left with what is no whole millisecond of 1970 to 9999.
  if (day < 0 || day > LAST_DAY || !Number.isInteger(epochMs))
    return branded<Instant>(new Date(Math.min(Math.max(epochMs, FIRST_MS), LAST_MS)).toISOString());
  const ms = epochMs - day * DAY;
  const seconds = Math.floor(ms / 1_000);
  const [minute, second] = [MINUTES[Math.floor(seconds / 60)] ?? '', SECONDS[seconds % 60] ?? ''];
  return branded<Instant>(`${dayText(day)}${minute}${second}${MILLISECONDS[ms % 1_000] ?? ''}`);
};

const ZERO = '0'.charCodeAt(0);

/** The digits at two places of a text. */
const twoAt = (text: string, at: number): number =>
  (text.charCodeAt(at) - ZERO) * 10 + (text.charCodeAt(at + 1) - ZERO);

/** The day whose instants were read last, with the moment of its midnight: instants are read in the order of time, or nearly. */
let read = { ms: 0, text: '1970-01-01T' };

/** Milliseconds since the Unix epoch; finer digits are cut off. */
export const epochMsOf = (instant: Instant): number => {
  // Date.parse costs ten times as much: it reads the day alone, and only where it is another one.
  if (!instant.startsWith(read.text)) {
    const text = instant.slice(0, HOUR_AT);
    read = { ms: Date.parse(`${text}00:00:00.000Z`), text };
  }
  const minutes = twoAt(instant, HOUR_AT) * 60 + twoAt(instant, HOUR_AT + 3);
  const ms = (instant.charCodeAt(HOUR_AT + 9) - ZERO) * 100 + twoAt(instant, HOUR_AT + 10);
  return read.ms + minutes * MINUTE + twoAt(instant, HOUR_AT + 6) * 1_000 + ms;
};

/** The moment so many milliseconds later, or earlier, digits finer than those cut off; null outside of the years 0000 to 9999. */
export const laterBy = (instant: Instant, ms: number): Instant | null => {
  const epochMs = epochMsOf(instant) + ms;
  return epochMs < FIRST_MS || epochMs > LAST_MS ? null : instantOf(epochMs);
};

/** Whether it is a time that somebody set, not the zero timestamp. */
export const isRealTime = (instant: Instant): boolean => !instant.startsWith(ZERO_TIMESTAMP);

/** Order by time: negative, zero or positive as `a` is before, at or after `b`. */
export const compareInstants = (a: Instant, b: Instant): number => {
  // Nearly all have milliseconds and no finer digits.
  if (a.length === b.length) return a < b ? -1 : a > b ? 1 : 0;
  const [x, y] = [a.slice(0, -1), b.slice(0, -1)];
  return x < y ? -1 : x > y ? 1 : 0;
};
