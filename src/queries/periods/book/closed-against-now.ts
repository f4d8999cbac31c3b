import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { differences, type Closed } from '../../../../projections/periods/index.ts';
import type { Basis } from '../../../../projections/report/index.ts';
import type { Flow } from '../../../domain/flow.ts';
import type { QueryFailure } from '../../failure/query-failure.ts';
import type { QueryDependencies } from '../../query-dependencies.ts';
import { bothTotals, type Adjustment } from '../adjustments.ts';
import { periodCells } from '../period-cells.ts';
import { closedFigures } from '../period-report.ts';

/** What differs in one currency of one report of a closed month. */
export type ChangedTotals = Pick<Adjustment, 'currency' | 'measures'>;

/** One report of a closed month, as it was closed and as it would be now: what differs, by currency. */
export const closedAgainstNow = (
  { readModels }: Pick<QueryDependencies, 'readModels'>,
  closed: Closed,
  { flow, basis }: { readonly flow: Flow; readonly basis: Basis },
): TE.TaskEither<QueryFailure, readonly ChangedTotals[]> => {
  const { period: month, from, until } = closed.data;
  return pipe(
    TE.fromEither(closedFigures(closed)),
    TE.bindTo('figures'),
    TE.bindW('now', () => periodCells(readModels, { flow, basis, month, from, until })),
    TE.map(({ figures, now }) =>
      bothTotals(flow, figures[flow][basis], now.cells)
        .map(({ currency, closed: was, now: is }) => ({ currency, measures: differences(was, is) }))
        .filter(({ measures }) => measures.size > 0),
    ),
  );
};
