import * as Ord from 'fp-ts/lib/Ord.js';
import * as RA from 'fp-ts/lib/ReadonlyArray.js';
import * as S from 'fp-ts/lib/string.js';
import type { EventId } from '../../src/domain/ids.ts';
import type { FoldedEvent } from '../../src/domain/ledger-event.ts';
import type { Anomaly } from './order.ts';

/** Ids of events, each once and ordered by content, never by arrival (docs/spec/http.md, An order). */
export const idsOf = (events: readonly FoldedEvent[]): readonly EventId[] => {
  const [first] = events;
  if (first !== undefined && events.length === 1) return [first.recorded.id];
  return [...new Set(events.map(({ recorded }) => recorded.id))].toSorted(S.Ord.compare);
};

/** An anomaly over the events that it names, which are at least one. `about`: its field and values as `Anomaly` has them. */
export const anomaly = <Code extends string>(
  code: Code,
  events: readonly FoldedEvent[],
  about: { readonly field?: string; readonly values?: Iterable<string> } = {},
): Anomaly<Code> => ({
  code,
  field: about.field ?? '',
  values: [...new Set(about.values)].toSorted(S.Ord.compare),
  eventIds: idsOf(events),
});

const by = (text: (anomaly: Anomaly<string>) => string): Ord.Ord<Anomaly<string>> => Ord.contramap(text)(S.Ord);

const byCode = by(({ code }) => code);
const byField = by(({ field }) => field);
/** Two conflicting keys can have the same field: `a b` may be a status, or a status and a utr. */
const byFirstEvent = by(({ eventIds: [first] }) => first ?? '');

/** Anomalies by code and field (docs/spec/http.md, An order). */
export const inOrder: <A extends Anomaly<string>>(anomalies: readonly A[]) => readonly A[] = RA.sortBy([
  byCode,
  byField,
  byFirstEvent,
]);
