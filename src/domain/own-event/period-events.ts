import * as t from 'io-ts';
import { EventIdText, type EventId } from '../ids.ts';
import { MonthText, type Month } from '../month.ts';
import { sha256 } from '../sha256.ts';
import type { OwnKind } from './own-kind.ts';

/** Data of a `PeriodClosed`. */
export type PeriodClosedData = { readonly period: Month; readonly note: string };

/** Data of a `PeriodReopened`. */
export type PeriodReopenedData = {
  readonly period: Month;
  /** The `PeriodClosed` that it takes back. */
  readonly closed: EventId;
  readonly note: string;
};

export const PERIOD_CLOSED: OwnKind<'PeriodClosed', PeriodClosedData> = {
  type: 'PeriodClosed',
  data: t.type({ period: MonthText, note: t.string }),
  stream: 'period',
  about: ({ period }) => period,
  parts: (data) => [sha256(JSON.stringify(data))],
};

export const PERIOD_REOPENED: OwnKind<'PeriodReopened', PeriodReopenedData> = {
  type: 'PeriodReopened',
  data: t.type({ period: MonthText, closed: EventIdText, note: t.string }),
  stream: 'period',
  about: ({ period }) => period,
  parts: ({ closed }) => [closed],
};
