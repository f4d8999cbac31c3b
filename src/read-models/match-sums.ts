import { ageClass, daysBetween, type AgeClass } from '../../projections/match/ageing.ts';
import { MATCH_STATES, type MatchState } from '../../projections/match/match-item.ts';
import type { BusinessDay } from '../domain/business-day.ts';
import { plainText, plus, ZERO, type Exact } from '../domain/exact.ts';
import type { MatchClass } from './match-class.ts';
import type { MatchSum } from './match-questions.ts';

const noAges = (): Record<AgeClass, number> => ({ '0-1': 0, '2-3': 0, '4-7': 0, '8-30': 0, '30+': 0 });

type Counting = Omit<MatchSum, 'items' | 'itemsOnce' | 'fiat' | 'ageing'> & {
  items: number;
  itemsOnce: number;
  fiat: Exact;
  readonly ageing: Record<AgeClass, number>;
};

const inOrder = (a: MatchSum, b: MatchSum): number => {
  const [x, y] = [a, b].map(({ flow, currency, state }) =>
    JSON.stringify([flow ?? '~', currency ?? '~', MATCH_STATES.indexOf(state)]),
  );
  return x === y || x === undefined || y === undefined ? 0 : x < y ? -1 : 1;
};

/** Sums of items by flow, currency and state, with their ages on a day. */
export class MatchSums {
  readonly #sums = new Map<string, Counting>();
  readonly #today: BusinessDay;

  constructor(today: BusinessDay) {
    this.#today = today;
  }

  /** Adds items of a class and a day that are in one state; `fiat` is what they come to together. */
  add(
    its: MatchClass,
    state: MatchState,
    day: BusinessDay,
    { items, fiat }: { readonly items: number; readonly fiat: Exact },
  ): void {
    const key = JSON.stringify([its.flow, its.currency, state]);
    const known = this.#sums.get(key);
    const counted = { items: 0, itemsOnce: 0, fiat: ZERO, ageing: noAges() };
    const sum = known ?? { flow: its.flow, currency: its.currency, state, ...counted };
    sum.items += items;
    if (its.firstCurrency === undefined) sum.itemsOnce += items;
    sum.fiat = plus(sum.fiat, fiat);
    sum.ageing[ageClass(daysBetween(day, this.#today))] += items;
    if (known === undefined) this.#sums.set(key, sum);
  }

  /** By flow, currency and state, in this order. */
  all(): readonly MatchSum[] {
    return [...this.#sums.values()].map((sum) => ({ ...sum, fiat: plainText(sum.fiat) })).toSorted(inOrder);
  }
}
