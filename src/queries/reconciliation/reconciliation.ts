import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as t from 'io-ts';
import { AGE_CLASSES, type AgeClass } from '../../../projections/match/ageing.ts';
import { MATCH_STATES } from '../../../projections/match/match-item.ts';
import { exactOf, plainText, plus, ZERO, type Exact } from '../../domain/exact.ts';
import type { MatchFilter, MatchSum } from '../../read-models/match-questions.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import type { PersonalData } from '../masking/personal-data.ts';
import { shownText } from '../masking/shown-text.ts';
import type { Query } from '../parameters/parameters.ts';
import { positionParameter, type Including } from '../parameters/position-parameter.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import { amount, count, flow, instantOrNull, oneOfWords, textOrNull } from '../resources/values.ts';
import { whenMatched } from './when-matched.ts';
import { matchFilter, type RECONCILIATION_PARAMETERS } from './reconciliation-parameters.ts';

const Ageing = t.strict({
  '0-1': count('Of today or yesterday.'),
  '2-3': count('Two or three days old.'),
  '4-7': count('Four to seven days old.'),
  '8-30': count('Eight to thirty days old.'),
  '30+': count('More than thirty days old.'),
});

const FIAT = 'What their orders come to; without orders, their lines. To the last digit.';

/** The summary as callers see it (docs/spec/match.md, Summary). */
export const ReconciliationResource = t.strict(
  {
    asOf: t.strict({
      position: textOrNull('The last event that it includes; null before the first.'),
      at: instantOrNull('When that was recorded.'),
    }),
    rows: t.readonlyArray(
      t.strict({
        flow: t.union([flow, t.null]),
        currency: textOrNull('In upper case; null for transfers without an order.'),
        state: oneOfWords(MATCH_STATES, 'What the items are.'),
        items: count('How many.', 1),
        fiat: amount(FIAT),
        ageing: Ageing,
      }),
    ),
    totals: t.readonlyArray(
      t.strict({
        currency: textOrNull('In upper case; null for transfers without an order.'),
        items: count('How many.', 1),
        fiat: amount(FIAT),
        ageing: Ageing,
      }),
    ),
  },
  'Reconciliation',
);

export type ReconciliationResource = t.TypeOf<typeof ReconciliationResource>;

type Total = { items: number; fiat: Exact; readonly ageing: Record<AgeClass, number> };

const totalsOf = (rows: readonly MatchSum[]): ReconciliationResource['totals'] => {
  const totals = new Map<string | null, Total>();
  for (const { currency, items, fiat, ageing } of rows) {
    const known = totals.get(currency);
    const total = known ?? { items: 0, fiat: ZERO, ageing: { '0-1': 0, '2-3': 0, '4-7': 0, '8-30': 0, '30+': 0 } };
    total.items += items;
    total.fiat = plus(total.fiat, exactOf(fiat));
    for (const age of AGE_CLASSES) total.ageing[age] += ageing[age];
    if (known === undefined) totals.set(currency, total);
  }
  return [...totals]
    .toSorted(([a], [b]) => ((a ?? '~') < (b ?? '~') ? -1 : 1))
    .map(([currency, { items, fiat, ageing }]) => ({ currency, items, fiat: plainText(fiat), ageing }));
};

const shownTo =
  (personal: PersonalData) =>
  <A extends { readonly currency: string | null }>(sum: A): A => ({
    ...sum,
    currency: sum.currency === null ? null : shownText(sum.currency, personal),
  });

/** What is asked of the summary. */
export type ReconciliationQuestion = Including & { readonly filter: MatchFilter };

export const parseReconciliation =
  ({ store }: Pick<QueryDependencies, 'store'>) =>
  (query: Query<typeof RECONCILIATION_PARAMETERS>): TE.TaskEither<QueryFailure, ReconciliationQuestion> =>
    pipe(
      positionParameter(store, query.position),
      TE.map((included) => ({ filter: matchFilter(query), included })),
    );

/** What the match's answers stand on. */
export type MatchDependencies = Pick<QueryDependencies, 'store' | 'readModels' | 'calendar' | 'matchDueDays' | 'now'>;

/** Items counted by flow, currency and state, with their ages; what a provider sends as a currency may be any text. */
export const reconciliation =
  (deps: MatchDependencies, personal: PersonalData) =>
  ({ filter, included }: ReconciliationQuestion): TE.TaskEither<QueryFailure, ReconciliationResource> =>
    pipe(
      whenMatched(deps, included),
      TE.chainW(() => {
        const day = { today: deps.calendar.dayOf(deps.now()), dueDays: deps.matchDueDays };
        return deps.readModels.matchSummary({ filter, day });
      }),
      TE.map(({ asOf, rows }) => ({
        asOf: { position: asOf?.position ?? null, at: asOf?.at ?? null },
        rows: rows.map(({ flow: of, currency, state, items, fiat, ageing }) =>
          shownTo(personal)({ flow: of, currency, state, items, fiat, ageing }),
        ),
        totals: totalsOf(rows).map(shownTo(personal)),
      })),
    );
