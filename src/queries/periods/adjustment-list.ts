import * as N from 'fp-ts/lib/number.js';
import * as Ord from 'fp-ts/lib/Ord.js';
import * as S from 'fp-ts/lib/string.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as t from 'io-ts';
import type { Basis } from '../../../projections/report/index.ts';
import { FLOWS } from '../../domain/flow.ts';
import { described } from '../../openapi/described.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import { distinctNames } from '../masking/masking.ts';
import type { PersonalData } from '../masking/personal-data.ts';
import { shownText } from '../masking/shown-text.ts';
import { cursorOf, placeInCursor } from '../parameters/cursor.ts';
import { USUAL_LIMIT, type Query } from '../parameters/parameters.ts';
import { positionParameter, whenIncluded } from '../parameters/position-parameter.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import { pageOf } from '../resources/page.ts';
import { amount, flow, oneOfWords, text, uuid } from '../resources/values.ts';
import { adjustments, type Adjustment, type OrderThen } from './adjustments.ts';
import { knownPeriod } from './known-period.ts';
import { BASES } from './period-figures.ts';
import type { PERIOD_LIST_PARAMETERS } from './periods.ts';

const measure = (about: string) => described(t.union([t.number, t.string]), about);

const Shown = t.union([
  t.strict({ phase: text('Where the order stood, or stands, with its money.'), fiat: amount('Its fiat amount.') }),
  t.null,
]);

const AdjustmentResource = t.strict(
  {
    flow,
    basis: oneOfWords<Basis>(['created', 'settled'], 'Which report of the month.'),
    currency: text('Amounts of different currencies are never added.'),
    measures: described(
      t.record(
        t.string,
        t.strict({
          closed: measure('As it was closed.'),
          now: measure('As it is now.'),
          difference: measure('What is more now.'),
        }),
      ),
      'The measures of the report that differ, by name: counts are numbers, amounts texts.',
    ),
    orders: t.readonlyArray(
      t.strict({
        orderId: text('The order.'),
        eventIds: t.readonlyArray(uuid('An event of it that came since.')),
        closed: described(Shown, 'As it was when the month was closed; null: it was not in this report.'),
        now: described(Shown, 'As it is now; null: it is not in this report any more.'),
      }),
    ),
  },
  'Adjustment',
);

export const AdjustmentPageResource = pageOf(AdjustmentResource, 'AdjustmentPage');

export type AdjustmentPage = t.TypeOf<typeof AdjustmentPageResource>;

const shown = (order: OrderThen | null): t.TypeOf<typeof Shown> =>
  order === null ? null : { phase: order.phase, fiat: order.fiat.amount };

/** A measure's name. A status or an address of a token may be any text; the `@` before the chain is no mail address's. */
const shownName = (name: string, personal: PersonalData): string => {
  const chainAt = name.startsWith('tokens.') ? name.lastIndexOf('@') : name.length;
  return shownText(name.slice(0, chainAt), personal) + name.slice(chainAt);
};

const resourceOf = (
  { flow: of, basis, currency, measures, orders }: Adjustment,
  personal: PersonalData,
): t.TypeOf<typeof AdjustmentResource> => {
  const named = distinctNames();
  return {
    flow: of,
    basis,
    currency: shownText(currency, personal),
    measures: Object.fromEntries([...measures].map(([name, found]) => [named(shownName(name, personal)), found])),
    orders: orders.map(({ orderId, eventIds, closed, now }) => ({
      orderId,
      eventIds,
      closed: shown(closed),
      now: shown(now),
    })),
  };
};

/**
 * Where an adjustment stands in the list, as a cursor may tell it: a currency may be any text that was signed, so it stands
 * there as everybody may see it, with a number among those that look the same then.
 */
type Place = readonly [flow: string, basis: string, currency: string, no: number];

const flowOrder = Ord.contramap((of: string) => FLOWS.findIndex((other) => other === of))(N.Ord);
const basisOrder = Ord.contramap((basis: string) => BASES.findIndex((other) => other === basis))(N.Ord);
const placeOrder = Ord.tuple(flowOrder, basisOrder, S.Ord, N.Ord);
const listOrder = Ord.tuple(flowOrder, basisOrder, S.Ord, S.Ord);

type Placed = { readonly adjustment: Adjustment; readonly place: Place };

const placed = (all: readonly Adjustment[]): readonly Placed[] => {
  const sorted = all
    .map((adjustment) => ({ adjustment, seen: shownText(adjustment.currency, 'masked') }))
    .toSorted((a, b) =>
      listOrder.compare(
        [a.adjustment.flow, a.adjustment.basis, a.seen, a.adjustment.currency],
        [b.adjustment.flow, b.adjustment.basis, b.seen, b.adjustment.currency],
      ),
    );
  const alike = new Map<string, number>();
  return sorted.map(({ adjustment, seen }) => {
    const key = JSON.stringify([adjustment.flow, adjustment.basis, seen]);
    const no = alike.get(key) ?? 0;
    alike.set(key, no + 1);
    return { adjustment, place: [adjustment.flow, adjustment.basis, seen, no] };
  });
};

/** Those behind a place, which may be one that is there no more. */
const behind = (
  all: readonly Placed[],
  [of = '', basis = '', currency = '', no = '']: readonly string[],
): readonly Placed[] => all.filter(({ place }) => placeOrder.compare(place, [of, basis, currency, Number(no)]) > 0);

/** The adjustments of a month (docs/spec/http.md, Periods); an open month has none. */
export const adjustmentList =
  (deps: Pick<QueryDependencies, 'store' | 'readModels' | 'calendar' | 'now'>, personal: PersonalData, name: string) =>
  (
    query: Query<typeof PERIOD_LIST_PARAMETERS>,
  ): TE.TaskEither<QueryFailure, t.TypeOf<typeof AdjustmentPageResource>> => {
    const list = JSON.stringify(['adjustments', name]);
    return pipe(
      positionParameter(deps.store, query.position),
      TE.chainW((included) => whenIncluded(deps, included)),
      TE.chain(() => knownPeriod(deps, name)),
      TE.bindTo('known'),
      TE.bindW('place', () => TE.fromEither(placeInCursor(query.cursor, list))),
      TE.bindW('all', ({ known }) =>
        known.period.closed === null ? TE.right([]) : adjustments(deps, known.period.closed),
      ),
      TE.map(({ place, all }) => {
        const whole = placed(all);
        const left = place === null ? whole : behind(whole, place);
        const rows = left.slice(0, query.limit ?? USUAL_LIMIT);
        const last = rows.at(-1)?.place;
        const more = last !== undefined && rows.length < left.length;
        return {
          data: rows.map(({ adjustment }) => resourceOf(adjustment, personal)),
          next: more ? cursorOf(list, last.map(String)) : null,
        };
      }),
    );
  };
