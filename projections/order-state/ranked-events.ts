import * as NEA from 'fp-ts/lib/NonEmptyArray.js';
import * as Ord from 'fp-ts/lib/Ord.js';
import * as ordering from 'fp-ts/lib/Ordering.js';
import * as RNEA from 'fp-ts/lib/ReadonlyNonEmptyArray.js';
import * as S from 'fp-ts/lib/string.js';
import type { EventId } from '../../src/domain/ids.ts';
import type { FoldedEvent } from '../../src/domain/ledger-event.ts';
import type { OrderFacts } from '../../src/domain/order-facts.ts';
import { rankOf } from '../../src/domain/status.ts';

/** Order events, at least one, the highest first; of several equally high the one with the lowest event id. */
export type RankedEvents = RNEA.ReadonlyNonEmptyArray<FoldedEvent>;

const rank = ({ facts }: FoldedEvent): number => rankOf(facts.flow, facts.status);

/** In one function: put together from smaller ones it takes three times as long, and a build sorts every order. */
const higherFirst: Ord.Ord<FoldedEvent> = Ord.fromCompare((a, b) => {
  const above = rank(b) - rank(a);
  return above === 0 ? S.Ord.compare(a.recorded.id, b.recorded.id) : ordering.sign(above);
});

const sortAll: (events: RankedEvents) => RankedEvents = RNEA.sort(higherFirst);

/** Puts each event where it belongs among those before it. */
const sortFew = (events: RankedEvents): RankedEvents => {
  const sorted = NEA.fromReadonlyNonEmptyArray(events);
  let next = 0;
  for (const event of events) {
    let at = next;
    next += 1;
    for (let above = sorted[at - 1]; above !== undefined; above = sorted[at - 1]) {
      if (higherFirst.compare(above, event) <= 0) break;
      sorted[at] = above;
      at -= 1;
    }
    sorted[at] = event;
  }
  return sorted;
};

/** Most streams hold few events, each once. For so few the fastest check of that compares each event with each other one. */
const FEW = 8;

/** Order events by rank. */
export const ranked = (events: RankedEvents): RankedEvents =>
  events.length <= FEW ? sortFew(events) : sortAll(events);

const areFewAndDistinct = (events: readonly FoldedEvent[]): boolean =>
  events.length <= FEW &&
  events.every(({ recorded }, i) => !events.some((other, j) => j < i && other.recorded.id === recorded.id));

/**
 * Every event once, by its id; of repeated ones that with the lowest revision, which was durable first
 * (docs/spec/domain.md, Order state).
 */
export const distinctEvents = (events: readonly FoldedEvent[]): readonly FoldedEvent[] => {
  if (areFewAndDistinct(events)) return events;
  const byId = new Map<EventId, FoldedEvent>();
  for (const event of events) {
    const known = byId.get(event.recorded.id);
    if (known === undefined || event.recorded.revision < known.recorded.revision) byId.set(event.recorded.id, event);
  }
  return byId.size === events.length ? events : [...byId.values()];
};

/** A fact from the highest event that states it; null where no event does (docs/spec/domain.md, Order state). */
export const highest = <A>(events: RankedEvents, read: (facts: OrderFacts) => A | null): A | null => {
  for (const { facts } of events) {
    const value = read(facts);
    if (value !== null) return value;
  }
  return null;
};

/** As `highest`, for a text that may be empty: a text of a lower event is taken before an empty one of a higher event. */
export const highestText = (events: RankedEvents, read: (facts: OrderFacts) => string | null): string | null => {
  const full = highest(events, (facts) => (read(facts) === '' ? null : read(facts)));
  return full ?? highest(events, read);
};
