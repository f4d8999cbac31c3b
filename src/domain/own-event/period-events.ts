import * as t from 'io-ts';
import { EventIdText, RevisionNumber, Sha256Text, StreamNameText } from '../ids.ts';
import type { EventId, Position, Revision, Sha256, StreamName } from '../ids.ts';
import { InstantText, type Instant } from '../instant.ts';
import { MonthText, type Month } from '../month.ts';
import { PositionText } from '../position.ts';
import { sha256 } from '../sha256.ts';
import type { OwnKind } from './own-kind.ts';

/** What was looked at before a month was closed. */
export type PeriodCheck = {
  readonly name: string;
  readonly ok: boolean;
  readonly count: number;
  readonly detail: string;
};

/** Data of a `PeriodClosed` (docs/spec/finance.md, Periods). */
export type PeriodClosedData = {
  readonly period: Month;
  readonly timeZone: string;
  /** The moments of the month, `until` exclusive: months beside it begin and end there. */
  readonly from: Instant;
  readonly until: Instant;
  /** The last event that the figures include, by its place in its stream, which every store has; null: there was none. */
  readonly through: { readonly stream: StreamName; readonly revision: Revision } | null;
  /** The same event by its position in the store of that day, and when it was recorded. */
  readonly asOf: { readonly position: Position; readonly at: Instant } | null;
  /** The newest signed checkpoint of the log then; null where there was none. */
  readonly checkpoint: string | null;
  readonly note: string;
  /** Names of checks that were not well and were closed over. */
  readonly despite: readonly string[];
  readonly checks: readonly PeriodCheck[];
  /** Digests of both reports as JSON, by day of creation, without groups. */
  readonly reports: {
    readonly onramp: { readonly sha256: Sha256 };
    readonly offramp: { readonly sha256: Sha256 };
  };
  /** The cells that reports of the month are made of, packed. */
  readonly figures: string;
};

/** Data of a `PeriodReopened`. */
export type PeriodReopenedData = {
  readonly period: Month;
  /** The `PeriodClosed` that it takes back. */
  readonly closed: EventId;
  readonly note: string;
};

const nullable = <C extends t.Mixed>(codec: C): t.UnionC<[C, t.NullC]> => t.union([codec, t.null]);
const digest = t.type({ sha256: Sha256Text });

const ClosedData: { readonly is: t.Is<PeriodClosedData> } = t.type({
  period: MonthText,
  timeZone: t.string,
  from: InstantText,
  until: InstantText,
  through: nullable(t.type({ stream: StreamNameText, revision: RevisionNumber })),
  asOf: nullable(t.type({ position: PositionText, at: InstantText })),
  checkpoint: nullable(t.string),
  note: t.string,
  despite: t.readonlyArray(t.string),
  checks: t.readonlyArray(t.type({ name: t.string, ok: t.boolean, count: t.number, detail: t.string })),
  reports: t.type({ onramp: digest, offramp: digest }),
  figures: t.string,
});

export const PERIOD_CLOSED: OwnKind<'PeriodClosed', PeriodClosedData> = {
  type: 'PeriodClosed',
  data: ClosedData,
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
