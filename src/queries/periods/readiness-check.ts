import type { Instant } from '../../domain/instant.ts';
import type { PeriodCheck } from '../../domain/own-event/period-events.ts';

/** What is looked at before a month is closed (docs/spec/finance.md, Periods). */
export const CHECK_NAMES = [
  'month-over',
  'earlier-closed',
  'spool',
  'read-models',
  'quarantine',
  'clock-anomalies',
  'match',
] as const;

export type CheckName = (typeof CHECK_NAMES)[number];

/** A check, and where what is behind it is listed; null: nowhere. */
export type ReadinessCheck = PeriodCheck & { readonly name: CheckName; readonly link: string | null };

export type Readiness = {
  readonly ready: boolean;
  /** When the month ends, exclusive. */
  readonly until: Instant;
  readonly checks: readonly ReadinessCheck[];
};

/** A check of how many things are not well. `link`: where they are listed. */
export const counted = (
  name: CheckName,
  count: number,
  words: readonly [one: string, many: string],
  link: string | null,
): ReadinessCheck => ({
  name,
  ok: count === 0,
  count,
  detail: count === 0 ? `no ${words[1]}` : `${count} ${count === 1 ? words[0] : words[1]}`,
  link: count === 0 ? null : link,
});
