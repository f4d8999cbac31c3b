import * as E from 'fp-ts/lib/Either.js';
import { measuresGroup, type ReportCell } from '../../projections/report/index.ts';
import type { Position } from '../domain/ids.ts';
import { positionNumber } from '../domain/position.ts';
import type { LogStep } from './log-steps.ts';
import type { CellsAnswer, ReadModelsUnavailable, ReportQuestion } from './read-models.ts';
import type { Snapshot } from './snapshot.ts';

type Cells = Promise<E.Either<ReadModelsUnavailable, readonly ReportCell[]>>;

/** A moment of which read models know what reports came to. */
export type KnownMoment = {
  /** The last event that it includes; null: none. */
  readonly at: Position | null;
  /** What the cells of a report came to then; several of one period and facet belong together. */
  readonly cells: (question: ReportQuestion) => Cells;
};

const numberOf = (position: Position | null): number => (position === null ? 0 : positionNumber(position));

const takenOut = (cells: readonly ReportCell[]): readonly ReportCell[] =>
  cells.map((cell) => ({ ...cell, measures: measuresGroup.inverse(cell.measures) }));

/** What cells came to at the end of a step: by what changed up to it, or by what changed since, whichever is less to read. */
const cellsAtEnd = async (
  models: Snapshot,
  steps: readonly LogStep[],
  i: number,
  question: ReportQuestion,
  now: KnownMoment,
): Cells => {
  const [first, end, next, last] = [steps[0], steps[i], steps[i + 1], steps.at(-1)];
  if (first === undefined || end === undefined || next === undefined || last === undefined) return now.cells(question);
  if (2 * i < steps.length) return models.cellsOfSteps(question, first.no, end.no)();
  const [all, since] = [await now.cells(question), await models.cellsOfSteps(question, next.no, last.no)()];
  if (E.isLeft(all)) return all;
  return E.map((cells: readonly ReportCell[]) => [...all.right, ...takenOut(cells)])(since);
};

/** Of what read models know, the moment that is nearest to a position: that of now, or the end of a step of the log. */
export const nearestKnown = async (
  models: Snapshot,
  at: Position | null,
): Promise<E.Either<ReadModelsUnavailable, KnownMoment>> => {
  const found = await models.steps()();
  if (E.isLeft(found)) return found;
  const steps = found.right;
  const now: KnownMoment = {
    at: models.progress().checkpoint?.position ?? null,
    cells: async (question) => E.map(({ cells }: CellsAnswer) => cells)(await models.cells(question)()),
  };
  const distance = (position: Position | null): number => Math.abs(numberOf(position) - numberOf(at));
  let nearest = now;
  for (const [i, { upTo }] of steps.entries()) {
    if (distance(upTo) >= distance(nearest.at)) continue;
    nearest = { at: upTo, cells: (question) => cellsAtEnd(models, steps, i, question, now) };
  }
  return E.right(nearest);
};
