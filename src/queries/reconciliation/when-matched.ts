import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { wait } from '../../concurrency/wait.ts';
import { branded } from '../../domain/brand.ts';
import type { BusinessDay } from '../../domain/business-day.ts';
import type { Position } from '../../domain/ids.ts';
import { comparePositions } from '../../domain/position.ts';
import type { MatchSummaryQuestion } from '../../read-models/match-questions.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import { whenIncluded } from '../parameters/position-parameter.ts';
import type { QueryDependencies } from '../query-dependencies.ts';

/** How long an answer waits for what a position includes (docs/spec/http.md, Position). */
const WITHIN_MS = 5_000;
/** Who imports a file waits no longer. */
const WRITTEN_MS = 2_000;
const LOOK_EVERY_MS = 50;

type Deps = Pick<QueryDependencies, 'store' | 'readModels'>;

const LONG_AGO = branded<BusinessDay>('0001-01-01');

/** Asks for no item: what is still due is told beside it. */
const NOTHING: MatchSummaryQuestion = {
  filter: { from: LONG_AGO, to: LONG_AGO, currency: null, flow: null, account: null },
  day: { today: LONG_AGO, dueDays: 0 },
};

/** Whether the match has all lines of what was imported up to a position, waiting for a while. */
const isMatched = async (
  deps: Deps,
  position: Position,
  withinMs: number,
): Promise<E.Either<QueryFailure, boolean>> => {
  const until = performance.now() + withinMs;
  for (;;) {
    const asked = await deps.readModels.matchSummary(NOTHING)();
    if (E.isLeft(asked)) return asked;
    const { due } = asked.right;
    if (due === null || comparePositions(due.position, position) > 0) return E.right(true);
    if (performance.now() >= until) return E.right(false);
    await wait(LOOK_EVERY_MS);
  }
};

/** Waits until the match includes a position, with every line that large files up to it have brought. */
export const whenMatched = (deps: Deps, position: Position | null): TE.TaskEither<QueryFailure, void> =>
  position === null
    ? whenIncluded(deps, position)
    : pipe(
        whenIncluded(deps, position),
        TE.chainW(() => async (): Promise<E.Either<QueryFailure, void>> => {
          const matched = await isMatched(deps, position, WITHIN_MS);
          if (E.isLeft(matched)) return matched;
          const detail = 'the lines of a large bank file are still being matched';
          return matched.right ? E.right(undefined) : E.left({ _tag: 'ReadModelsBehind', detail });
        }),
      );

/** Waits a little until what was just imported is matched; what is not yet then will be. */
export const onceMatched =
  (deps: Deps, position: Position): TE.TaskEither<never, void> =>
  async () => {
    await isMatched(deps, position, WRITTEN_MS);
    return E.right(undefined);
  };
