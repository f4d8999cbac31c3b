import type { BreakCode } from '../../../../projections/match/break.ts';
import { isUnmatched, OPEN_STATES, type MatchItem } from '../../../../projections/match/match-item.ts';
import type { SqliteStatements } from '../../../sql/sqlite-statements.ts';
import { hasAll } from '../../match-filters.ts';
import type { MatchItemList } from '../../match-item-list.ts';
import type { Listed } from '../../match-list.ts';
import type { AskedState, MatchFilter, MatchItemsQuestion } from '../../match-questions.ts';
import { itemStatements } from '../../statements/match-statements.ts';
import type { ItemRows } from './item-rows.ts';
import { matchClasses } from './match-classes.ts';
import { dayOf, FIRST_DAY, LAST_DAY } from './match-days.ts';
import { matchLists } from './match-lists.ts';

/** Rows of a list that are read at a time: few at first, since a page is made of many lists. */
const FIRST_PAGE = 16;
const PAGE = 128;

/** Breaks that an order has of its day alone: its row doesn't say. */
const OF_THE_DAY: ReadonlySet<BreakCode> = new Set<BreakCode>(['timing', 'missing-at-bank', 'missing-on-chain']);

/** Whether an item that stands in such a state may be in one that is asked for: of an awaited one the day decides. */
const mayBe = (stored: MatchItem['state'], asked: AskedState | null): boolean => {
  if (asked === null) return true;
  if (stored === 'awaited')
    return asked === 'open' || asked === 'unmatched' || asked === 'expected' || asked === 'unmatched-order';
  if (asked === 'open') return OPEN_STATES.has(stored);
  return asked === 'unmatched' ? isUnmatched(stored, null) : stored === asked;
};

const mayHave = ({ state, codes }: MatchItemList, code: BreakCode | null): boolean =>
  code === null || codes.includes(code) || (state === 'awaited' && OF_THE_DAY.has(code));

/** Items of the match that stand in rows of their own, as lists from the oldest day on. */
export class StoredItems {
  readonly #sql: SqliteStatements;
  readonly #rows: ItemRows;

  constructor(sql: SqliteStatements, rows: ItemRows) {
    this.#sql = sql;
    this.#rows = rows;
  }

  /** A list for each state, rule and set of breaks that may be asked for. */
  lists(question: MatchItemsQuestion): readonly Iterator<Listed>[] {
    const { filter, state, rule, code } = question;
    const lists = [...matchLists(this.#sql)].filter(
      ([, its]) => mayBe(its.state, state) && (rule === null || its.rule === rule) && mayHave(its, code),
    );
    const isAll = filter.flow === null && filter.currency === null && filter.account === null;
    const daysOf = isAll ? null : this.#daysWith(filter);
    return lists.map(([list, its]) =>
      this.#items(list, question, daysOf === null ? null : (daysOf.get(its.state) ?? [])),
    );
  }

  *#items(
    list: number,
    { filter, after }: MatchItemsQuestion,
    days: readonly string[] | null,
  ): Generator<Listed, void> {
    const within = { list, last_day: filter.to ?? LAST_DAY };
    let behind = { day: filter.from ?? FIRST_DAY, item_id: '' };
    if (after !== null && after.day >= behind.day) {
      behind = { day: after.day, item_id: after.list === 'items' ? after.key : '' };
    }
    const isOn = days === null ? null : new Set(days);
    for (let most = FIRST_PAGE, next = 0; ; most = Math.min(PAGE, most * 2)) {
      // Rows are read some at a time, so that the connection is free for what is read of each.
      const rows = this.#sql.all(itemStatements.ofList, { ...within, ...behind, most });
      let isOver = rows.length < most;
      for (const { no, day, item_id } of rows) {
        if (days !== null && isOn?.has(day) === false) {
          // Nothing of this day is asked for: the list goes on with the next one of which something is.
          while (next < days.length && (days[next] ?? day) <= day) next += 1;
          isOver = next === days.length;
          behind = { day: days[next] ?? day, item_id: '' };
          break;
        }
        behind = { day, item_id };
        yield { place: { day: dayOf(day), list: 'items', key: item_id }, item: () => this.#rows.at(no, item_id) };
      }
      if (isOver) return;
    }
  }

  /** Days on which there is anything of a filter, by state: what other days have would be read for nothing. */
  #daysWith({ from, to, ...filter }: MatchFilter): ReadonlyMap<MatchItem['state'], readonly string[]> {
    const classes = matchClasses(this.#sql);
    const days = new Map<MatchItem['state'], Set<string>>();
    const bounds = { first_day: from ?? FIRST_DAY, last_day: to ?? LAST_DAY };
    for (const cell of this.#sql.iterate(itemStatements.cells, bounds)) {
      const its = classes.get(cell.class);
      if (its === undefined || !hasAll(its, { ...filter, from, to })) continue;
      const known = days.get(its.state);
      if (known === undefined) days.set(its.state, new Set([cell.day]));
      else known.add(cell.day);
    }
    return new Map([...days].map(([state, its]) => [state, [...its].toSorted()]));
  }
}
