import type { EventId, Revision } from '../../src/domain/ids.ts';
import type { Instant } from '../../src/domain/instant.ts';
import type { Month } from '../../src/domain/month.ts';
import type { OwnEvent } from '../../src/domain/own-event/own-event.ts';
import type { PeriodClosedData } from '../../src/domain/own-event/period-events.ts';

/** A month as it was closed last, while it is. */
export type Closed = {
  readonly data: PeriodClosedData;
  readonly eventId: EventId;
  readonly at: Instant;
  readonly by: string;
};

/** Something that was done to a month. */
type PeriodDeed = {
  readonly at: Instant;
  readonly by: string;
  readonly what: 'closed' | 'reopened';
  readonly note: string;
};

/** A month by the events of its stream. */
export type Period = {
  readonly period: Month;
  /** Null: it is open. */
  readonly closed: Closed | null;
  /** Oldest first. */
  readonly history: readonly PeriodDeed[];
  /** The head of its stream; null where nothing was done to it yet. */
  readonly revision: Revision | null;
};

/** Nothing was done to the month yet. */
const untouched = (period: Month): Period => ({ period, closed: null, history: [], revision: null });

const afterEvent = (state: Period, event: OwnEvent): Period => {
  if (event._tag !== 'PeriodClosed' && event._tag !== 'PeriodReopened') return state;
  const { metadata, recorded } = event;
  const [at, by] = [metadata.receivedAt, metadata.by];
  const what = event._tag === 'PeriodClosed' ? 'closed' : 'reopened';
  return {
    period: state.period,
    closed: event._tag === 'PeriodClosed' ? { data: event.data, eventId: recorded.id, at, by } : null,
    history: [...state.history, { at, by, what, note: event.data.note }],
    revision: recorded.revision,
  };
};

/** A month from the events of its stream, oldest first. */
export const foldPeriod = (period: Month, events: readonly OwnEvent[]): Period =>
  events.reduce(afterEvent, untouched(period));
