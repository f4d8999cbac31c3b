import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { ownStream } from '../../domain/ids.ts';
import type { LineKey } from '../../domain/line-key.ts';
import { LINE_IDS, LINE_IDS_KEYED } from '../../domain/own-event/line-key-events.ts';
import { ownEvent, readOwnEvent, type OwnEvent } from '../../domain/own-event/own-event.ts';
import type { Author } from '../../domain/own-event/own-metadata.ts';
import type { RecordedEvent } from '../../domain/recorded-event.ts';
import { unreadableEvent, type UnreadableEvent } from '../../domain/unreadable-event.ts';
import type { AppendError } from '../../event-store/event-store.ts';
import { appendOwn } from '../../ledger/append-own.ts';
import { decidedInTurn } from '../decided-in-turn.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import type { QueryDependencies } from '../query-dependencies.ts';

type Deps = Pick<QueryDependencies, 'store'>;

/** A store that does not show yet what it took is asked again. */
const NOT_THERE_YET: AppendError = { _tag: 'WrongExpectedRevision', actual: 'none' };

const STREAM = ownStream('statement', LINE_IDS);

const keyIn = (recorded: RecordedEvent): E.Either<UnreadableEvent, LineKey> =>
  E.chain((event: OwnEvent) =>
    event._tag === 'LineIdsKeyed'
      ? E.right(event.data.key)
      : E.left(unreadableEvent(recorded, 'it says no key for the ids of bank lines')),
  )(readOwnEvent(recorded));

/**
 * The key that the ids of this log's bank lines are made with; null where none was drawn yet. One that is there and can't be
 * read is a failure: lines that overlapping files bring again would be counted twice under another one.
 */
export const keptLineKey = ({ store }: Deps): TE.TaskEither<QueryFailure, LineKey | null> =>
  pipe(
    store.readStream(STREAM),
    TE.chainEitherKW(([first]) => (first === undefined ? E.right(null) : keyIn(first))),
  );

/**
 * The key that the ids of this log's bank lines are made with, which is drawn where there is none. It is in the log, so that
 * every ledger on it, every backup, copy and build has the same one: of several that draw one at once, the first counts.
 */
export const lineKey = (
  deps: Deps & Pick<QueryDependencies, 'drawLineKey'>,
  author: Author,
): TE.TaskEither<QueryFailure, LineKey> =>
  decidedInTurn(
    deps.store,
    STREAM,
    pipe(
      keptLineKey(deps),
      TE.chain((kept): TE.TaskEither<QueryFailure | AppendError, LineKey> => {
        if (kept !== null) return TE.right(kept);
        return pipe(
          appendOwn(deps.store, 'none', [ownEvent(LINE_IDS_KEYED, { key: deps.drawLineKey() }, author)]),
          // What counts is what the log has: EventStoreDB takes another key under the same event id for a repeat, and keeps the first.
          TE.chainW(() => keptLineKey(deps)),
          TE.chainW(TE.fromNullable(NOT_THERE_YET)),
        );
      }),
    ),
  );
