import type { UnreadableEvent } from '../domain/ledger-event.ts';
import type { StoreUnavailable } from '../event-store/event-store.ts';
import { RETRY_AFTER_SECONDS, type Problem } from '../http/problem.ts';
import type { ReadModelsBehind, ReadModelsUnavailable } from '../read-models/read-models.ts';

/** A parameter that is unknown, repeated or ill-formed; the detail names it (contract.md, Asking). */
export const invalidParameter = (name: string, expected: string): Problem => ({
  status: 400,
  code: 'invalid-parameter',
  title: 'Invalid parameter',
  // Long enough for every name that is known, so that a reply never echoes a page of text.
  detail: `${name.slice(0, 64).toWellFormed()}: ${expected}`,
});

export const storeUnavailable = ({ detail }: StoreUnavailable): Problem => ({
  status: 503,
  code: 'store-unavailable',
  title: 'Event store unavailable',
  detail: 'the event store is away; ask again',
  retryAfterSeconds: RETRY_AFTER_SECONDS,
  cause: detail,
});

/** The read models did not get as far as asked in time, or can't be asked now (contract.md, Asking: `position`). */
export const behind = ({ _tag, detail }: ReadModelsBehind | ReadModelsUnavailable): Problem => ({
  status: 503,
  code: 'behind',
  title: 'Read models behind',
  detail:
    _tag === 'ReadModelsBehind'
      ? 'the read models do not include this position yet; ask again'
      : 'the read models can not be asked now; ask again',
  retryAfterSeconds: RETRY_AFTER_SECONDS,
  cause: detail,
});

/** An event that is stored but can't be read: damage, which nobody but an operator can mend. */
export const unreadableEvent = ({ recorded: { stream, revision }, problem }: UnreadableEvent): Problem => {
  const detail = `event ${revision} of stream ${stream} can't be read: ${problem}`;
  return { status: 500, code: 'unreadable-event', title: 'Unreadable event', detail, cause: detail };
};
