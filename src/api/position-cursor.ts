import { either as E } from 'fp-ts';
import { pipe } from 'fp-ts/lib/function.js';
import type { Position } from '../domain/ids.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { Problem } from '../http/problem.ts';
import { cursorOf, foreignCursor, placeInCursor } from './cursor.ts';
import type { Parameters } from './parameters.ts';

/** The position that a list in the order of positions goes on behind; null: from the start. One of another store, or beyond the head, is foreign. */
export const positionInCursor = (
  store: Pick<EventStore, 'parsePosition'>,
  parameters: Parameters,
  list: string,
): E.Either<Problem, Position | null> =>
  pipe(
    placeInCursor(parameters, list),
    E.chain((place): E.Either<Problem, Position | null> => {
      if (place === null) return E.right(null);
      const [text = ''] = place;
      return E.mapLeft(() => foreignCursor)(store.parsePosition(text));
    }),
  );

/** `next` of such a list after its last entry. */
export const nextAfter = (list: string, last: Position | undefined, more: boolean): string | null =>
  more && last !== undefined ? cursorOf(list, [last]) : null;
