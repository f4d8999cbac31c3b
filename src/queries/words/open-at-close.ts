import type { PeriodCheck } from '../../domain/own-event/period-events.ts';

/** What a month was closed over, each as it was found then: `1 delivery could not be read`. What was ticked and was so is none. */
export const openAtClose = (checks: readonly PeriodCheck[]): readonly string[] =>
  checks.filter(({ ok }) => !ok).map(({ detail }) => detail);
