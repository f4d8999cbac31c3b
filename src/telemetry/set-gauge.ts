import type { Gauge } from 'prom-client';

/** Sets a gauge that has no labels. What is not known now (null) leaves the page, for an old figure looks like a new one. */
export const setGauge = (gauge: Gauge, value: number | null): void => {
  if (value === null) gauge.remove();
  else gauge.set(value);
};
