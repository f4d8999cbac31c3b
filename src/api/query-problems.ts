import type { UnreadableEvent } from '../domain/ledger-event.ts';
import type { StoreUnavailable } from '../event-store/event-store.ts';
import { problem, type Problem } from '../http/problem.ts';
import type { ReadModelsBehind, ReadModelsUnavailable } from '../read-models/read-models.ts';

/** A parameter that is unknown, repeated or ill-formed; the detail names it (docs/spec/http.md, Errors). */
export const invalidParameter = (name: string, expected: string): Problem =>
  // Long enough for every name that is known, so that a reply never echoes a page of text.
  problem('invalid-parameter', `${name.slice(0, 64).toWellFormed()}: ${expected}`);

export const storeUnavailable = ({ detail }: StoreUnavailable): Problem =>
  problem('store-unavailable', 'the event store is away; ask again', { cause: detail });

/** The read models did not get as far as asked in time, or can't be asked now (docs/spec/http.md, Position). */
export const behind = ({ _tag, detail }: ReadModelsBehind | ReadModelsUnavailable): Problem =>
  problem(
    'behind',
    _tag === 'ReadModelsBehind'
      ? 'the read models do not include this position yet; ask again'
      : 'the read models can not be asked now; ask again',
    { cause: detail },
  );

/** An event that is stored but can't be read: damage, which nobody but an operator can mend. */
export const unreadableEvent = ({ recorded: { stream, revision }, problem: what }: UnreadableEvent): Problem => {
  const detail = `event ${revision} of stream ${stream} can't be read: ${what}`;
  return problem('unreadable-event', detail, { cause: detail });
};
