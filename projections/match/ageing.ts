import { branded } from '../../src/domain/brand.ts';
import type { BusinessDay } from '../../src/domain/business-day.ts';

const DAY = 86_400_000;

/** Whole days from one day of the calendar to another; negative where the other is earlier. */
export const daysBetween = (from: BusinessDay, to: BusinessDay): number =>
  Math.round((Date.parse(`${to}T00:00:00.000Z`) - Date.parse(`${from}T00:00:00.000Z`)) / DAY);

/** The day so many days after another; before it where they are negative. */
export const dayAfter = (day: BusinessDay, days: number): BusinessDay =>
  branded<BusinessDay>(new Date(Date.parse(`${day}T00:00:00.000Z`) + days * DAY).toISOString().slice(0, 10));

/** Ages of payments, in days (docs/spec/match.md, Summary). */
export const AGE_CLASSES = ['0-1', '2-3', '4-7', '8-30', '30+'] as const;

export type AgeClass = (typeof AGE_CLASSES)[number];

/** The class of an age in days; what lies ahead is as young as can be. */
export const ageClass = (days: number): AgeClass => {
  if (days <= 1) return '0-1';
  if (days <= 3) return '2-3';
  if (days <= 7) return '4-7';
  return days <= 30 ? '8-30' : '30+';
};
