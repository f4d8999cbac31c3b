import { either as E, taskEither as TE } from 'fp-ts';
import { pipe } from 'fp-ts/lib/function.js';
import type { Position } from '../domain/ids.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { Problem } from '../http/problem.ts';
import type { ReadModels } from '../read-models/read-models.ts';
import type { Parameters } from './parameters.ts';
import { behind, invalidParameter } from './query-problems.ts';

/** How long an answer waits for a position (contract.md, Asking). */
const WITHIN_MS = 5_000;

/** What `position` says must be included; null where it says nothing. A foreign one is 400 `invalid-parameter`. */
export const positionParameter = (
  store: Pick<EventStore, 'parsePosition'>,
  parameters: Parameters,
): E.Either<Problem, Position | null> => {
  const text = parameters.get('position');
  if (text === undefined) return E.right(null);
  return E.mapLeft(() => invalidParameter('position', 'is none that this ledger has given'))(store.parsePosition(text));
};

/** Waits until the read models include a position; 503 `behind` where that takes too long. */
export const whenIncluded = (
  readModels: Pick<ReadModels, 'includes'>,
  position: Position | null,
): TE.TaskEither<Problem, void> =>
  position === null ? TE.right(undefined) : pipe(readModels.includes(position, WITHIN_MS), TE.mapLeft(behind));
