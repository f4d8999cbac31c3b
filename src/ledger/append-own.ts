import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Position, Revision } from '../domain/ids.ts';
import type { EventForStream } from '../domain/new-event.ts';
import type { AppendError, EventStore, ExpectedRevision } from '../event-store/event-store.ts';

/** Where some events of the ledger itself came to stand. */
export type OwnAppended = {
  /** Revision of the first of them. */
  readonly revision: Revision;
  /** What includes this position includes all of them. */
  readonly position: Position;
};

/**
 * Appends events of the ledger itself to their stream, all or none, at exactly the revision that was read; whoever loses
 * the race reads again and decides again. From a command beside a ledger that serves, the store asks that one.
 *
 * @param events all of one stream
 */
export const appendOwn = (
  store: Pick<EventStore, 'append' | 'head'>,
  expected: ExpectedRevision,
  events: readonly [EventForStream, ...(readonly EventForStream[])],
): TE.TaskEither<AppendError, OwnAppended> => {
  const [first, ...rest] = events;
  return pipe(
    store.append(first.stream, expected, [first.event, ...rest.map(({ event }) => event)]),
    TE.chainW(({ revision, position }) =>
      rest.length === 0
        ? TE.right({ revision, position })
        : pipe(
            store.head(),
            TE.map((head) => ({ revision, position: head ?? position })),
          ),
    ),
  );
};
