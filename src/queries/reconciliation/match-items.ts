import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type * as t from 'io-ts';
import { parseBusinessDay } from '../../domain/business-day.ts';
import type { LineSearch } from '../../read-models/line-search.ts';
import type { MatchChoice, MatchPlace } from '../../read-models/match-questions.ts';
import type { InvalidParameter, QueryFailure } from '../failure/query-failure.ts';
import type { PersonalData } from '../masking/personal-data.ts';
import { cursorOf, foreignCursor, placeInCursor } from '../parameters/cursor.ts';
import { USUAL_LIMIT, type Query } from '../parameters/parameters.ts';
import { positionParameter, type Including } from '../parameters/position-parameter.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import { pageOf } from '../resources/page.ts';
import { MatchItemResource, matchItemResource } from './match-item-resource.ts';
import type { MatchDependencies } from './reconciliation.ts';
import { whenMatched } from './when-matched.ts';
import { matchFilter, type MATCH_ITEM_PARAMETERS, type MATCH_LIST_PARAMETERS } from './reconciliation-parameters.ts';

export const MatchPageResource = pageOf(MatchItemResource, 'MatchItemPage');

export const matchChoice = (query: Query<typeof MATCH_ITEM_PARAMETERS>): MatchChoice => ({
  filter: matchFilter(query),
  state: query.state,
  rule: query.rule,
  code: query.break,
  orderId: query.orderId,
  lineId: query.lineId,
});

const listName = (choice: MatchChoice): string => JSON.stringify(['reconciliation', choice]);

/**
 * The list that a place stands in, as cursors name it. Before orders were told by their id, cursors had `awaited` and the number
 * of an order, which means another one after a build: those are of no list any more, where they began their day anew.
 */
const LISTS: Readonly<Record<MatchPlace['list'], string>> = { items: 'items', awaited: 'orders' };

const listNamed = (name: string | undefined): MatchPlace['list'] | null =>
  name === LISTS.items ? 'items' : name === LISTS.awaited ? 'awaited' : null;

const placeBehind = (cursor: string | null, choice: MatchChoice): E.Either<InvalidParameter, MatchPlace | null> =>
  pipe(
    placeInCursor(cursor, listName(choice)),
    E.chain((place) => {
      if (place === null) return E.right(null);
      const [dayText = '', name, key = ''] = place;
      const [day, list] = [parseBusinessDay(dayText), listNamed(name)];
      return day !== null && list !== null ? E.right({ day, list, key }) : E.left(foreignCursor);
    }),
  );

/** What is asked of the list of items. */
export type MatchListQuestion = Including & {
  readonly choice: MatchChoice;
  readonly after: MatchPlace | null;
  readonly limit: number;
  /** So many orders, lines and transfers of each item are left out. */
  readonly skip: number;
};

/** Orders, lines and transfers of an item that are answered at once, of each. */
const MOST_OF_EACH = 500;

/**
 * @param isOpen whether items in any open state are asked for, where the parameters name none
 * @param search for a line that the items must have; null: any
 */
export const parseMatchList =
  ({ store }: Pick<QueryDependencies, 'store'>, isOpen = false, search: LineSearch | null = null) =>
  (query: Query<typeof MATCH_LIST_PARAMETERS>): TE.TaskEither<QueryFailure, MatchListQuestion> => {
    const named: MatchChoice = { ...matchChoice(query), ...(search === null ? {} : { search }) };
    const choice: MatchChoice = isOpen && named.state === null ? { ...named, state: 'open' } : named;
    return pipe(
      TE.fromEither(placeBehind(query.cursor, choice)),
      TE.bindTo('after'),
      TE.bindW('included', () => positionParameter(store, query.position)),
      TE.map(({ after, included }) => ({
        choice,
        after,
        limit: query.limit ?? USUAL_LIMIT,
        skip: query.skip ?? 0,
        included,
      })),
    );
  };

type MatchPageAnswer = t.TypeOf<typeof MatchPageResource>;

/**
 * Items of the match, the oldest first (docs/spec/match.md, Items).
 *
 * @param mostOfEach so many orders, lines and transfers of an item are answered at once, of each
 */
export const matchList =
  (
    deps: MatchDependencies,
    personal: PersonalData,
    mostOfEach = MOST_OF_EACH,
  ): ((question: MatchListQuestion) => TE.TaskEither<QueryFailure, MatchPageAnswer>) =>
  ({ choice, after, limit, skip, included }) =>
    pipe(
      whenMatched(deps, included),
      TE.chainW(() => {
        const day = { today: deps.calendar.dayOf(deps.now()), dueDays: deps.matchDueDays };
        return deps.readModels.matchItems({ ...choice, day, after, limit, mostOfEach, skipOfEach: skip });
      }),
      TE.map(({ data, next }) => ({
        data: data.map((item) => matchItemResource(item, personal)),
        next: next === null ? null : cursorOf(listName(choice), [next.day, LISTS[next.list], next.key]),
      })),
    );
