import type { Gauge } from 'prom-client';

/**
 * Sets a gauge that has no labels. Null, for what is not known now, takes it off the page: an old figure would look
 * like a new one.
 */
export const setGauge = (gauge: Gauge, value: number | null): void => {
  if (value === null) gauge.remove();
  else gauge.set(value);
};
