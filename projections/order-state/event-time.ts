import * as Ord from 'fp-ts/lib/Ord.js';
import * as ordering from 'fp-ts/lib/Ordering.js';
import * as RNEA from 'fp-ts/lib/ReadonlyNonEmptyArray.js';
import * as semigroup from 'fp-ts/lib/Semigroup.js';
import { compareInstants, epochMsOf, instantOf, parseInstant, type Instant } from '../../src/domain/instant.ts';
import type { FoldedEvent } from '../../src/domain/ledger-event.ts';

/** Instants by time, the earlier first. */
const byTime: Ord.Ord<Instant> = Ord.fromCompare((a, b) => ordering.sign(compareInstants(a, b)));

/**
 * When an event happened: the provider's time of change where that is a real time, else its receipt (docs/spec/http.md,
 * A report).
 */
export const happenedAt = ({ facts, receivedAt }: FoldedEvent): Instant => facts.updatedAt ?? receivedAt;

type Events = RNEA.ReadonlyNonEmptyArray<FoldedEvent>;

const earlierOf = semigroup.min(byTime);
const laterOf = semigroup.max(byTime);

/** The earliest of the times that events are given. */
export const earliest = (events: Events, time: (event: FoldedEvent) => Instant): Instant =>
  RNEA.foldMap(earlierOf)(time)(events);

/** The latest of the times that events are given. */
export const latest = (events: Events, time: (event: FoldedEvent) => Instant): Instant =>
  RNEA.foldMap(laterOf)(time)(events);

/** The moment so many milliseconds later, digits finer than those cut off; null beyond the year 9999, which no clock reaches. */
export const later = (instant: Instant, ms: number): Instant | null => parseInstant(instantOf(epochMsOf(instant) + ms));
