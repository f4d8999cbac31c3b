import { ord as Ord, ordering, readonlyNonEmptyArray as RNEA } from 'fp-ts';
import { compareInstants, epochMsOf, instantOf, parseInstant, type Instant } from '../../src/domain/instant.ts';
import type { LedgerEvent } from '../../src/domain/ledger-event.ts';

/** Instants by time, the earlier first. */
const byTime: Ord.Ord<Instant> = Ord.fromCompare((a, b) => ordering.sign(compareInstants(a, b)));

/**
 * When an event happened: the provider's time of change where that is a real time, else its receipt (docs/spec/http.md,
 * A report).
 */
export const happenedAt = ({ facts, receivedAt }: LedgerEvent): Instant => facts.updatedAt ?? receivedAt;

const over =
  (pick: (a: Instant, b: Instant) => Instant) =>
  (events: RNEA.ReadonlyNonEmptyArray<LedgerEvent>, time: (event: LedgerEvent) => Instant): Instant => {
    let found = time(RNEA.head(events));
    for (const event of events) found = pick(found, time(event));
    return found;
  };

/** The earliest of the times that events are given. */
export const earliest = over(Ord.min(byTime));

/** The latest of the times that events are given. */
export const latest = over(Ord.max(byTime));

/** The moment so many milliseconds later, digits finer than those cut off; null beyond the year 9999, which no clock reaches. */
export const later = (instant: Instant, ms: number): Instant | null => parseInstant(instantOf(epochMsOf(instant) + ms));
