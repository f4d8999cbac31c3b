import * as RNEA from 'fp-ts/lib/ReadonlyNonEmptyArray.js';
import { compareInstants, type Instant } from '../../src/domain/instant.ts';
import type { FoldedEvent } from '../../src/domain/ledger-event.ts';

/**
 * When an event happened: the provider's time of change where that is a real time, else its receipt (docs/spec/http.md,
 * A report).
 */
export const happenedAt = ({ facts, receivedAt }: FoldedEvent): Instant => facts.updatedAt ?? receivedAt;

type Events = RNEA.ReadonlyNonEmptyArray<FoldedEvent>;

/** The earliest of the times that events are given. */
export const earliest = (events: Events, time: (event: FoldedEvent) => Instant): Instant => {
  let found = time(RNEA.head(events));
  for (const event of events) {
    const its = time(event);
    if (compareInstants(its, found) < 0) found = its;
  }
  return found;
};

/** The latest of the times that events are given. */
export const latest = (events: Events, time: (event: FoldedEvent) => Instant): Instant => {
  let found = time(RNEA.head(events));
  for (const event of events) {
    const its = time(event);
    if (compareInstants(its, found) > 0) found = its;
  }
  return found;
};
