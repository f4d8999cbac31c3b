import type { QueryDates } from './query-dates.ts';
import { GOALS, withQuery, type QueryKind } from './query-kind.ts';

const GROUPINGS = ['', 'day', 'month', 'token,chain'];

/** Reports of a year, of both flows and on both bases in turns. */
export const reportKinds = ({ lastYear }: QueryDates): readonly QueryKind[] =>
  GROUPINGS.map((groupBy) => ({
    name: `report: a year by ${groupBy === '' ? 'nothing' : groupBy}`,
    goalMs: GOALS.report,
    personal: false,
    path: (n) =>
      withQuery(`/v1/reports/${n % 2 === 0 ? 'onramp' : 'offramp'}`, {
        ...lastYear,
        basis: n % 4 < 2 ? 'created' : 'settled',
        ...(groupBy === '' ? {} : { groupBy }),
      }),
  }));
