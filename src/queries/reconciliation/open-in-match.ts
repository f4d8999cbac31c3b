import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { exactOf, plainText, plus, ZERO, type Exact } from '../../domain/exact.ts';
import type { Decimal } from '../../domain/decimal.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import type { QueryDependencies } from '../query-dependencies.ts';

/** Items of the match that somebody has to look at, of one currency; null: transfers without an order. */
export type OpenInMatch = { readonly currency: string | null; readonly items: number; readonly fiat: Decimal };

/** What is open in the match now, by currency in their order; it reads nothing of what is matched. */
export const openInMatch = ({
  readModels,
  calendar,
  matchDueDays,
  now,
}: Pick<QueryDependencies, 'readModels' | 'calendar' | 'matchDueDays' | 'now'>): TE.TaskEither<
  QueryFailure,
  readonly OpenInMatch[]
> =>
  pipe(
    readModels.matchSummary({
      filter: { from: null, to: null, currency: null, flow: null, account: null },
      day: { today: calendar.dayOf(now()), dueDays: matchDueDays },
      onlyOpen: true,
    }),
    TE.map(({ rows }) => {
      const sums = new Map<string | null, { items: number; fiat: Exact }>();
      for (const { currency, items, fiat } of rows) {
        const { items: before, fiat: sum } = sums.get(currency) ?? { items: 0, fiat: ZERO };
        sums.set(currency, { items: before + items, fiat: plus(sum, exactOf(fiat)) });
      }
      return [...sums]
        .toSorted(([a], [b]) => ((a ?? '~') < (b ?? '~') ? -1 : 1))
        .map(([currency, { items, fiat }]) => ({ currency, items, fiat: plainText(fiat) }));
    }),
  );
