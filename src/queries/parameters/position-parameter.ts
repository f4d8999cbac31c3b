import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Position } from '../../domain/ids.ts';
import type { EventStore, StoreUnavailable, UnknownPosition } from '../../event-store/event-store.ts';
import type { ReadModels } from '../../read-models/read-models.ts';
import { foreign, type InvalidParameter, type QueryFailure } from '../failure/query-failure.ts';

/** How long an answer waits for a position (docs/spec/http.md, Position). */
const WITHIN_MS = 5_000;

/** Within this projections have caught up, unless more comes than they can follow. */
const SOON_MS = 300;
/** Whoever writes seldom waits longer than a batch of projections; a write that took long is not held up much more. */
const WRITTEN_MS = 2_000;

const FOREIGN = foreign('position', 'ledger');

/** Reads a position that a caller sent back; `unknown` answers one that the store has not given. */
export const readPosition = (
  store: Pick<EventStore, 'parsePosition'>,
  text: string,
  unknown: InvalidParameter,
): TE.TaskEither<InvalidParameter | StoreUnavailable, Position> =>
  TE.mapLeft((failure: UnknownPosition | StoreUnavailable) => (failure._tag === 'UnknownPosition' ? unknown : failure))(
    store.parsePosition(text),
  );

/** What a `position` says must be included; null where there is none. A foreign one is an invalid parameter. */
export const positionParameter = (
  store: Pick<EventStore, 'parsePosition'>,
  text: string | null,
): TE.TaskEither<InvalidParameter | StoreUnavailable, Position | null> =>
  text === null ? TE.right(null) : readPosition(store, text, FOREIGN);

/** The position that an answer must include; null: whatever is there. */
export type Including = { readonly included: Position | null };

type Deps = {
  readonly store: Pick<EventStore, 'head'>;
  readonly readModels: Pick<ReadModels, 'includes'>;
};

/** Waits a little for what was acknowledged by now; what is still missing then is no failure. */
const whenCurrent = ({ store, readModels }: Deps, position: Position): TE.TaskEither<never, void> =>
  pipe(
    store.head(),
    TE.chainW((head): ReturnType<ReadModels['includes']> =>
      head === null || head === position ? TE.right(undefined) : readModels.includes(head, SOON_MS),
    ),
    TE.orElse((): TE.TaskEither<never, void> => TE.right(undefined)),
  );

/**
 * Waits a little until lists include what was just written, so that who asks next without its position sees it; what is
 * still missing then is no failure, since it is in the log.
 */
export const onceListed = (
  { readModels }: Pick<Deps, 'readModels'>,
  position: Position | null,
): TE.TaskEither<never, void> =>
  position === null
    ? TE.right(undefined)
    : pipe(
        readModels.includes(position, WRITTEN_MS),
        TE.orElse((): TE.TaskEither<never, void> => TE.right(undefined)),
      );

/**
 * Waits until the read models include a position; they are behind where that takes too long. A duplicate delivery is
 * answered with the position of the event that was there already, which may be an old one. Whoever asks with it expects to
 * see what was acknowledged since too, so the answer also waits a little for the newest event.
 */
export const whenIncluded = (deps: Deps, position: Position | null): TE.TaskEither<QueryFailure, void> =>
  position === null
    ? TE.right(undefined)
    : pipe(
        deps.readModels.includes(position, WITHIN_MS),
        TE.chainW(() => whenCurrent(deps, position)),
      );
