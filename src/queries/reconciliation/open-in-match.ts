import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { exactOf, plainText, plus, ZERO, type Exact } from '../../domain/exact.ts';
import type { Decimal } from '../../domain/decimal.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import type { QueryDependencies } from '../query-dependencies.ts';

/** What open items come to in one of their currencies, and how many have it; null: transfers without an order. */
type OpenShare = { readonly currency: string | null; readonly items: number; readonly fiat: Decimal };

/** Items of the match that somebody has to look at, each counted once, and by currency, where one of several is in each. */
export type OpenInMatch = { readonly items: number; readonly shares: readonly OpenShare[] };

/** What is open in the match now, by currency in their order; it reads nothing of what is matched (docs/spec/match.md, Summary). */
export const openInMatch = ({
  readModels,
  calendar,
  matchDueDays,
  now,
}: Pick<QueryDependencies, 'calendar' | 'matchDueDays' | 'now'> & {
  readonly readModels: Pick<QueryDependencies['readModels'], 'matchSummary'>;
}): TE.TaskEither<QueryFailure, OpenInMatch> =>
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
      return {
        items: rows.reduce((sum, { itemsOnce }) => sum + itemsOnce, 0),
        shares: [...sums]
          .toSorted(([a], [b]) => ((a ?? '~') < (b ?? '~') ? -1 : 1))
          .map(([currency, { items, fiat }]) => ({ currency, items, fiat: plainText(fiat) })),
      };
    }),
  );
