import { daysInStates, type Today } from '../../../../projections/match/awaited-state.ts';
import type { BreakCode } from '../../../../projections/match/break.ts';
import { itemOfOrderAlone, type MatchItem } from '../../../../projections/match/match-item.ts';
import type { BusinessDay, Calendar } from '../../../domain/business-day.ts';
import type { MatchSettings } from '../../../domain/match-settings.ts';
import type { SqliteStatements } from '../../../sql/sqlite-statements.ts';
import { awaitedOfClass, stateOfClass } from '../../match-class.ts';
import { hasAll, isInState } from '../../match-filters.ts';
import type { Listed } from '../../match-list.ts';
import type { MatchFilter, MatchItemsQuestion, MatchPlace } from '../../match-questions.ts';
import { itemStatements } from '../../statements/match-statements.ts';
import { matchClasses } from './match-classes.ts';
import { dayOf, FIRST_DAY, LAST_DAY } from './match-days.ts';
import type { MatchEvidence } from './match-evidence.ts';

/** States that orders may be in that nothing was found for. */
const AWAITED_AS = ['expected', 'unmatched-order'] as const;

/** Whether an order that nothing was found for may have this break in this state. */
const mayHave = (state: (typeof AWAITED_AS)[number], code: BreakCode | null): boolean =>
  code === null || (code === 'timing') === (state === 'expected');

/** Rows that are read at a time. */
const PAGE = 128;

/** Orders of the match that nothing was found for: they have no item's row, and the day decides what becomes of them. */
export class AwaitedItems {
  readonly #sql: SqliteStatements;
  readonly #evidence: MatchEvidence;
  readonly #calendar: Calendar;
  readonly #settings: MatchSettings;

  constructor(sql: SqliteStatements, evidence: MatchEvidence, calendar: Calendar, settings: MatchSettings) {
    this.#sql = sql;
    this.#evidence = evidence;
    this.#calendar = calendar;
    this.#settings = settings;
  }

  /** The item of an order by its number; null where something was found for the order, or none is expected. */
  at(no: number): MatchItem | null {
    return this.#sql.get(itemStatements.awaitedAt, { no }) === undefined ? null : this.#alone(no);
  }

  /** A list for each class that may be asked for. */
  lists({ filter, state, rule, code, after }: MatchItemsQuestion, today: Today): readonly Iterator<Listed>[] {
    const isOtherCode = code !== null && code !== 'timing' && code !== 'missing-at-bank' && code !== 'missing-on-chain';
    if (isOtherCode || rule !== null || filter.account !== null) return [];
    return [...matchClasses(this.#sql)]
      .filter(([, its]) => hasAll(its, filter))
      .flatMap(([id, its]) => {
        const awaited = awaitedOfClass(its);
        const states = AWAITED_AS.filter((one) => isInState(one, its.flow, state) && mayHave(one, code));
        const days = awaited === null ? null : daysInStates(awaited, states, today);
        if (days === null) return [];
        const from = filter.from === null || (days.since ?? FIRST_DAY) > filter.from ? days.since : filter.from;
        const isAsked = (on: BusinessDay): boolean => {
          const becomes = stateOfClass(its, on, today);
          return becomes !== null && states.some((one) => one === becomes);
        };
        return [this.#ofClass(id, { ...filter, from }, after, isAsked)];
      });
  }

  *#ofClass(
    id: number,
    { from, to }: MatchFilter,
    after: MatchPlace | null,
    isAsked: (day: BusinessDay) => boolean,
  ): Generator<Listed, void> {
    let behind = { class: id, day: from ?? FIRST_DAY, no: 0, last_day: to ?? LAST_DAY };
    if (after !== null && after.day >= behind.day) {
      behind = {
        ...behind,
        day: after.day,
        no: after.list === 'awaited' ? Number(after.key) : Number.MAX_SAFE_INTEGER,
      };
    }
    for (;;) {
      const rows = this.#sql.all(itemStatements.awaitedOf, { ...behind, most: PAGE });
      for (const row of rows) {
        const day = dayOf(row.day);
        if (!isAsked(day)) {
          // No order of this day is: the list goes on with the next.
          behind = { ...behind, day: row.day, no: Number.MAX_SAFE_INTEGER };
          break;
        }
        behind = { ...behind, day: row.day, no: row.no };
        yield { place: { day, list: 'awaited', key: String(row.no) }, item: () => this.#alone(row.no) };
      }
      if (rows.length === 0 || (rows.length < PAGE && behind.no !== Number.MAX_SAFE_INTEGER)) return;
    }
  }

  #alone(no: number): MatchItem | null {
    const order = this.#evidence.orderAt(no);
    return order === null ? null : itemOfOrderAlone(order, this.#settings, this.#calendar);
  }
}
