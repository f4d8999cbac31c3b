import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Closed } from '../../../projections/periods/index.ts';
import { firstDayOf, lastDayOf, parseMonth, type Month } from '../../domain/month.ts';
import type { QueryFailure } from '../../queries/failure/query-failure.ts';
import { isAdjusted } from '../../queries/periods/adjustments.ts';
import { closedAgainstNow, type ChangedTotals } from '../../queries/periods/book/closed-against-now.ts';
import { closedPosition } from '../../queries/periods/closed-position.ts';
import { readPeriods } from '../../queries/periods/read-period.ts';
import type { QueryDependencies } from '../../queries/query-dependencies.ts';
import type { AsOf, ReportQuestion } from '../../read-models/read-models.ts';
import { html, type Html } from '../html.ts';
import { withParameters } from '../links.ts';
import type { Times } from '../local-time.ts';
import { periodPath } from '../periods/period-path.ts';

/** The close of the month that a report is of. */
export type ClosedMonth = {
  readonly closed: Closed;
  /** Where its orders are what they were then. */
  readonly asOf: AsOf;
  readonly adjusted: boolean;
  /** What of this report would be another now, by currency. */
  readonly changed: readonly ChangedTotals[];
};

/** The month that the days of a report are exactly; null: they are none. */
const wholeMonth = ({ from, to, asOf }: ReportQuestion): Month | null => {
  const month = from === null || asOf !== undefined ? null : parseMonth(from.slice(0, 7));
  return month !== null && from === firstDayOf(month) && to === lastDayOf(month) ? month : null;
};

/** The close of the month that a report is of; null: it is of no month, or of an open one. */
export const closedMonth = (
  deps: Pick<QueryDependencies, 'store' | 'readModels'>,
  question: ReportQuestion,
): TE.TaskEither<QueryFailure, ClosedMonth | null> => {
  const month = wholeMonth(question);
  if (month === null) return TE.right(null);
  return pipe(
    readPeriods(deps.store, [month]),
    TE.chain(([period]): TE.TaskEither<QueryFailure, ClosedMonth | null> => {
      const closed = period?.closed ?? null;
      return closed === null
        ? TE.right(null)
        : pipe(
            closedPosition(deps.store, closed.data),
            TE.bindTo('asOf'),
            TE.bind('adjusted', () => isAdjusted(deps.readModels)(closed)),
            TE.bind('changed', ({ adjusted }) => (adjusted ? closedAgainstNow(deps, closed, question) : TE.right([]))),
            TE.map((found) => ({ ...found, closed })),
          );
    }),
  );
};

/**
 * Says of the report of a closed month that it is one.
 *
 * @param asClosed whether its figures are those of the close; else they are those of now
 */
export const closedMark = (
  { closed: { data, at, by }, adjusted }: ClosedMonth,
  { flow, basis, groupBy }: ReportQuestion,
  asClosed: boolean,
  times: Times,
): Html => html`
  <p class="notice">
    <strong>${data.period} is closed</strong>: on ${times.time(at)} by ${by}.
    ${
      asClosed
        ? 'These are the figures of the close.'
        : html`These are the figures of now.
            <a
              href="${withParameters(`/console/reports/${flow}`, {
                period: data.period,
                basis: basis === 'settled' ? 'settled' : null,
                groupBy: groupBy.join(','),
              })}"
              >See them as they were closed</a
            >.`
    }
    ${
      adjusted
        ? html`<a href="${periodPath(data.period)}#adjustments">What changed since</a>`
        : html`<a href="${periodPath(data.period)}">Nothing changed since</a>`
    }
  </p>
`;
