import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Position } from '../../domain/ids.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import { cursorOf, foreignCursor, placeInCursor } from './cursor.ts';
import { readPosition } from './position-parameter.ts';

/** The position that a list in the order of positions goes on behind; null: from the start. One of another store, or beyond the head, is foreign. */
export const positionInCursor = (
  store: Pick<EventStore, 'parsePosition'>,
  cursor: string | null,
  list: string,
): TE.TaskEither<QueryFailure, Position | null> =>
  pipe(
    TE.fromEither(placeInCursor(cursor, list)),
    TE.chainW((place): TE.TaskEither<QueryFailure, Position | null> => {
      if (place === null) return TE.right(null);
      const [text = ''] = place;
      return readPosition(store, text, foreignCursor);
    }),
  );

/** `next` of such a list after its last entry. */
export const nextAfter = (list: string, last: Position | undefined, more: boolean): string | null =>
  more && last !== undefined ? cursorOf(list, [last]) : null;
