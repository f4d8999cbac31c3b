import { branded, type Brand } from './brand.ts';
import { guardedText } from './guarded.ts';
import { epochMsOf, instantOf, parseInstant, type Instant } from './instant.ts';
import { offsetPeriods, zoneOffset } from './zone-offset.ts';

/** A day of the business calendar, `2026-01-31`; years 0000 to 9999. Order by time is order by text. */
export type BusinessDay = Brand<string, 'BusinessDay'>;

const startInUtc = (text: string): Instant | null => parseInstant(`${text}T00:00:00.000Z`);

/** Exactly YYYY-MM-DD, a day that the calendar has; else null. */
export const parseBusinessDay = (text: string): BusinessDay | null =>
  /^\d{4}-\d\d-\d\d$/.test(text) && startInUtc(text) !== null ? branded<BusinessDay>(text) : null;

export const BusinessDayText = guardedText('day', (text): text is BusinessDay => parseBusinessDay(text) !== null);

/** The calendar of a named zone (docs/spec/finance.md, Dates). */
export type Calendar = {
  readonly timeZone: string;
  /** The day that a moment falls on, clamped to the years 0000 to 9999. */
  readonly dayOf: (instant: Instant) => BusinessDay;
  /** What the clock on the wall shows at a moment, in milliseconds since the Unix epoch as if it were UTC. */
  readonly wallClock: (instant: Instant) => number;
  /**
   * The moments of a day: `from` inclusive, `until` exclusive, to be compared as texts or by `compareInstants`. Both are
   * one for a day that the zone left out. Where a clock was set back from just after midnight (Newfoundland until 2011),
   * a day comes in two pieces, and the range spans both: inside of it `dayOf` decides. The last day of all ends at its 24:00.
   */
  readonly bounds: (day: BusinessDay) => { readonly from: Instant; readonly until: Instant };
};

const DAY = 86_400_000;

/** From here on zones change their clocks by whole minutes, and rarely: twice a year, not twice a day. */
const RARE_CHANGES_FROM = Date.UTC(1972, 0);

/** More than a hundred years of days. */
const MOST_DAYS = 40_000;

const FIRST = { day: branded<BusinessDay>('0000-01-01'), from: branded<Instant>('0000-01-01T00:00:00.000Z') };
/** Midnight in the notation of ISO 8601 that puts it behind every instant of the year 9999; the next year has no instant. */
const LAST = { day: branded<BusinessDay>('9999-12-31'), until: branded<Instant>('9999-12-31T24:00:00.000Z') };
const FIRST_MS = epochMsOf(FIRST.from);
const LAST_MS = epochMsOf(LAST.until) - 1;

/** The day of a local time, which is written as if it were UTC. */
const dayText = (localMs: number): BusinessDay =>
  branded<BusinessDay>(instantOf(Math.min(Math.max(localMs, FIRST_MS), LAST_MS)).slice(0, 10));

/** The texts of days by their number, which are asked for again and again. */
const dayTexts = new Map<number, BusinessDay>();

const dayNumbered = (day: number): BusinessDay => {
  const known = dayTexts.get(day);
  if (known !== undefined) return known;
  if (dayTexts.size >= MOST_DAYS) dayTexts.clear();
  const text = dayText(day * DAY);
  dayTexts.set(day, text);
  return text;
};

/**
 * A calendar. `dayOf` adds the offset of the moment's day in UTC, which is looked up once for a day in which the clocks were
 * not changed.
 */
const newCalendar = (timeZone: string): Calendar => {
  const offsetAt = zoneOffset(timeZone);
  /** By day in UTC; null for a day in which the offset changes. */
  const offsets = new Map<number, number | null>();

  const exactDay = (epochMs: number): BusinessDay => dayText(epochMs + offsetAt(epochMs));

  const offsetOn = (day: number): number | null => {
    const known = offsets.get(day);
    if (known !== undefined) return known;
    if (offsets.size >= MOST_DAYS) offsets.clear();
    const first = offsetAt(day * DAY);
    const offset = offsetAt((day + 1) * DAY - 1) === first ? first : null;
    offsets.set(day, offset);
    return offset;
  };

  /** Null where the moment's day in UTC has more than one. */
  const usualOffset = (epochMs: number): number | null =>
    epochMs < RARE_CHANGES_FROM ? null : offsetOn(Math.floor(epochMs / DAY));

  const dayOf = (instant: Instant): BusinessDay => {
    const epochMs = epochMsOf(instant);
    const offset = usualOffset(epochMs);
    return offset === null ? exactDay(epochMs) : dayNumbered(Math.floor((epochMs + offset) / DAY));
  };

  const wallClock = (instant: Instant): number => {
    const epochMs = epochMsOf(instant);
    return epochMs + (usualOffset(epochMs) ?? offsetAt(epochMs));
  };

  const boundsOf: Calendar['bounds'] = (day) => {
    const localFrom = Date.parse(`${day}T00:00:00.000Z`);
    const localUntil = localFrom + DAY;
    let [from, until] = [Infinity, -Infinity];
    // No local time is as much as a day away from UTC.
    for (const period of offsetPeriods(offsetAt, localFrom - DAY, localUntil + DAY)) {
      const starts = Math.max(period.from, localFrom - period.offset);
      const ends = Math.min(period.until, localUntil - period.offset);
      if (starts < period.until) from = Math.min(from, starts);
      if (ends > period.from) until = Math.max(until, ends);
    }
    return {
      from: day === FIRST.day ? FIRST.from : instantOf(from),
      until: day === LAST.day ? LAST.until : instantOf(until),
    };
  };

  const knownBounds = new Map<BusinessDay, ReturnType<Calendar['bounds']>>();

  const bounds: Calendar['bounds'] = (day) => {
    const known = knownBounds.get(day);
    if (known !== undefined) return known;
    const found = boundsOf(day);
    if (knownBounds.size >= MOST_DAYS) knownBounds.clear();
    knownBounds.set(day, found);
    return found;
  };

  return { timeZone, dayOf, wallClock, bounds };
};

/** One for each zone: what it has found of days takes a hundred times as long to find. */
const calendars = new Map<string, Calendar>();

/** The business calendar of a zone that the configuration has found to be one. */
export const businessCalendar = (timeZone: string): Calendar => {
  const known = calendars.get(timeZone) ?? newCalendar(timeZone);
  calendars.set(timeZone, known);
  return known;
};
