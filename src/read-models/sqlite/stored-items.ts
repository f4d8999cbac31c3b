import { OPEN_STATES, type MatchState } from '../../../projections/match/match-item.ts';
import type { SqliteStatements } from '../../sql/sqlite-statements.ts';
import { hasAll } from '../match-filters.ts';
import type { Listed } from '../match-list.ts';
import type { AskedState, MatchFilter, MatchItemsQuestion } from '../match-questions.ts';
import { itemStatements } from '../statements/match-statements.ts';
import { readItem } from '../stored-match.ts';
import { matchClasses } from './match-classes.ts';
import { dayOf, FIRST_DAY, LAST_DAY } from './match-days.ts';

/** Rows that are read at a time. */
const PAGE = 128;

/** What of the items that stand in rows may be in one of several states that are asked for together; null: that is one state, or all. */
const storedStates = (asked: AskedState | null): readonly MatchState[] | null => {
  if (asked === 'open') return [...OPEN_STATES];
  return asked === 'unmatched' ? ['unmatched-line', 'ambiguous', 'unmatched-order'] : null;
};

/** Items of the match that stand in rows of their own, as lists from the oldest day on. */
export class StoredItems {
  readonly #sql: SqliteStatements;

  constructor(sql: SqliteStatements) {
    this.#sql = sql;
  }

  /** Items of several states stand in a list for each; where something else chooses them, that is the list. */
  lists(question: MatchItemsQuestion): readonly Iterator<Listed>[] {
    const { state, code, rule } = question;
    const states = storedStates(state);
    if (states === null) return [this.#items(question, state)];
    if (code !== null || rule !== null) return [this.#items(question, null)];
    return states.map((one) => this.#items(question, one));
  }

  *#items(question: MatchItemsQuestion, state: AskedState | null): Generator<Listed, void> {
    const { filter, after } = question;
    let behind = { day: filter.from ?? FIRST_DAY, item_id: '', last_day: filter.to ?? LAST_DAY };
    if (after !== null && after.day >= behind.day) {
      behind = { ...behind, day: after.day, item_id: after.list === 'items' ? after.key : '' };
    }
    const stored = state === 'expected' || state === 'unmatched-order' ? 'awaited' : state;
    if (filter.flow === null && filter.currency === null && filter.account === null) {
      yield* this.#within(question, stored, behind);
      return;
    }
    for (const day of this.#daysWith(filter, stored, behind)) {
      const item_id = day === behind.day ? behind.item_id : '';
      yield* this.#within(question, stored, { day, item_id, last_day: day });
    }
  }

  /** Days on which there is anything of a filter: what other days have would be read for nothing. */
  #daysWith(
    filter: MatchFilter,
    stored: string | null,
    { day: first_day, last_day }: { readonly day: string; readonly last_day: string },
  ): readonly string[] {
    const classes = matchClasses(this.#sql);
    const days = new Set<string>();
    for (const cell of this.#sql.iterate(itemStatements.cells, { first_day, last_day })) {
      const its = classes.get(cell.class);
      if (its !== undefined && hasAll(its, filter) && (stored === null || its.state === stored)) days.add(cell.day);
    }
    return [...days].toSorted();
  }

  *#within(
    { code, rule }: MatchItemsQuestion,
    stored: string | null,
    within: { readonly day: string; readonly item_id: string; readonly last_day: string },
  ): Generator<Listed, void> {
    // Rows are read some at a time, so that the connection is free for what is read of each.
    let behind = within;
    const most = PAGE;
    for (;;) {
      const rows =
        code !== null
          ? this.#sql.all(itemStatements.ofBreak, { code, ...behind, most })
          : rule !== null
            ? this.#sql.all(itemStatements.ofRule, { rule, ...behind, most })
            : stored !== null
              ? this.#sql.all(itemStatements.ofState, { state: stored, ...behind, most })
              : this.#sql.all(itemStatements.all, { ...behind, most });
      for (const { item_id, day, body } of rows) {
        yield { place: { day: dayOf(day), list: 'items', key: item_id }, item: () => readItem(body) };
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < most) return;
      behind = { ...behind, day: last.day, item_id: last.item_id };
    }
  }
}
