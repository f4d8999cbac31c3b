import { readModelFailure, type ReadModelFailure } from '../../verification.ts';

/** A sum or count of reports that is not what it should be. */
export const reportDiffers = (detail: string): ReadModelFailure =>
  readModelFailure('read-model-report-differs', detail);

/** How a difference names a sum. */
export const cellName = (flow: string, basis: string, grain: string, period: string, key: string): string =>
  `${flow} ${basis} ${grain} ${period} ${key}`;
