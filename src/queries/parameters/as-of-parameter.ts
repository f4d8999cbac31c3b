import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Position } from '../../domain/ids.ts';
import { compareInstants, parseInstant, type Instant } from '../../domain/instant.ts';
import { positionAt, positionNumber, PositionText } from '../../domain/position.ts';
import type { RecordedEvent } from '../../domain/recorded-event.ts';
import type { AsOf, Checkpoint } from '../../read-models/read-models.ts';
import { foreign, illFormed, type QueryFailure } from '../failure/query-failure.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import { anyText, parameter, type Parameter } from './parameters.ts';
import { readPosition, whenIncluded } from './position-parameter.ts';

/** A moment of the log, and of the clock that decides anomalies then. */
export type Moment = AsOf & { readonly now: Instant };

type Deps = Pick<QueryDependencies, 'now'> & {
  readonly readModels: Pick<QueryDependencies['readModels'], 'includes' | 'progress' | 'auditPositions'>;
  readonly store: Pick<QueryDependencies['store'], 'readAt' | 'head' | 'parsePosition'>;
};

/** `asOf` as it came: the ledger says which moment it is. */
export const asOfText: Parameter<string> = parameter(
  'What was known then: a `position`, or an instant, which stands for the last event recorded at or before it.',
  { ...anyText, expected: 'a position, or an instant such as 2026-04-01T00:00:00Z', read: (text) => text },
);

const FUTURE = illFormed('asOf', 'a moment that is not in the future');
const FOREIGN = foreign('asOf', 'ledger');
const NEITHER = illFormed('asOf', 'a position, or an instant such as 2026-04-01T00:00:00Z');

const checkpointOf = ({ position, recordedAt }: RecordedEvent): Checkpoint => ({ position, at: recordedAt });

/** The event at a position that the store has given. */
const atPosition = (deps: Deps, position: Position): TE.TaskEither<QueryFailure, Moment> =>
  pipe(
    deps.store.readAt([position]),
    TE.chainW(([event]): TE.TaskEither<QueryFailure, Moment> =>
      event === undefined ? TE.left(FOREIGN) : TE.right({ checkpoint: checkpointOf(event), now: event.recordedAt }),
    ),
  );

/** The first event behind a place of the log that read models include; null where there is none. */
const behind = ({ store, readModels }: Deps, place: number): TE.TaskEither<QueryFailure, RecordedEvent | null> =>
  pipe(
    readModels.auditPositions({ type: null, from: null, to: null, term: null, after: positionAt(place), limit: 1 }),
    TE.chainW(({ data }) => store.readAt(data)),
    TE.map(([event]) => event ?? null),
  );

/** The last event recorded at or before an instant among those that read models include, by halving the log. */
const lastIncluded = async (deps: Deps, instant: Instant): Promise<E.Either<QueryFailure, Checkpoint | null>> => {
  const head = deps.readModels.progress().checkpoint;
  if (head === null || compareInstants(head.at, instant) <= 0) return E.right(head);
  // Events up to `low` are not later than the instant, those from `high` on are.
  let [low, high] = [-1, positionNumber(head.position)];
  let last: Checkpoint | null = null;
  while (low < high - 1) {
    const middle = Math.floor((low + high) / 2);
    const found = await behind(deps, middle - 1)();
    if (E.isLeft(found)) return found;
    const event = found.right;
    const place = event === null ? high : positionNumber(event.position);
    if (event !== null && place < high && compareInstants(event.recordedAt, instant) <= 0) {
      last = checkpointOf(event);
      low = place;
    } else high = middle;
  }
  return E.right(last);
};

/** Whether read models include an event that is later than an instant, and so all that were recorded by then. */
const isBehindUs = ({ readModels }: Deps, instant: Instant): boolean => {
  const head = readModels.progress().checkpoint;
  return head !== null && compareInstants(head.at, instant) > 0;
};

/** The last event recorded at or before an instant, of all that is in the log now. */
const lastRecorded = (deps: Deps, instant: Instant): TE.TaskEither<QueryFailure, Checkpoint | null> =>
  pipe(
    isBehindUs(deps, instant) ? TE.right(null) : deps.store.head(),
    TE.chainW((head) => whenIncluded(deps, head)),
    TE.chain(() => () => lastIncluded(deps, instant)),
  );

/**
 * The moment that `asOf` stands for; undefined where nothing was said. Read models include it then. A position that the
 * ledger has not given, and an instant in the future, are invalid parameters.
 */
export const asOfParameter = (deps: Deps, text: string | null): TE.TaskEither<QueryFailure, Moment | undefined> => {
  if (text === null) return TE.right(undefined);
  const instant = parseInstant(text);
  if (instant !== null && compareInstants(instant, deps.now()) > 0) return TE.left(FUTURE);
  const found: TE.TaskEither<QueryFailure, Moment> =
    instant === null
      ? pipe(
          // What has the form of none was mistyped, and not taken from another ledger.
          readPosition(deps.store, text, PositionText.is(text) ? FOREIGN : NEITHER),
          TE.chainW((position) => atPosition(deps, position)),
        )
      : pipe(
          lastRecorded(deps, instant),
          TE.map((checkpoint) => ({ checkpoint, now: instant })),
        );
  return pipe(
    found,
    TE.chainFirst(({ checkpoint }) => whenIncluded(deps, checkpoint?.position ?? null)),
  );
};
