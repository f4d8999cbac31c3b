import { measuresEq, measuresGroup, type Cell, type Measures } from '../../../projections/report/index.ts';
import type { BusinessDay } from '../../domain/business-day.ts';
import { exactOfParts, type Exact } from '../../domain/exact.ts';
import type { OrderShare } from '../order-row.ts';

/** What has to be known of an order's share to take it out again. `facet`: the number of its facet. */
export type KeptShare = Pick<OrderShare, 'settledDay' | 'terms' | 'termRank' | 'matchTerms' | 'makesItem'> & {
  readonly facet: number;
  readonly cells: readonly Omit<Cell, 'facet'>[];
};

/** As many as orders may be under way at a large merchant's, of 192 bytes each. */
const MOST_ORDERS = 32_768;

/** Places of a share's numbers; what it is found by stands behind them. */
const [NO, FACET, DAY, COEFFICIENT, SCALE, RANK, MAKES_ITEM, TERMS, MATCH_TERMS, FOUND_BY] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
];
const WIDTH = 24;
const MOST_FOUND_BY = WIDTH - FOUND_BY;

/** Creations are of a few days, unless they are made up. */
const MOST_DAYS = 40_000;

/** What is counted of an order of which nothing is known but that it is there, and its amount. */
const plainMeasures = (fiat: Exact): Measures => ({ ...measuresGroup.empty, orders: 1, fiat });

/**
 * What the newest orders add, by their numbers, while they are under way: their rows need not be read when their next
 * event comes. It is kept as numbers in one piece: so many objects would be looked through at each collection of garbage.
 * Of orders that have settled, and of unusual ones, nothing is kept: their rows are read.
 */
export class ShareMemory {
  readonly #slots: Float64Array;
  readonly #most: number;
  readonly #days: BusinessDay[] = [];
  readonly #numbersOfDays = new Map<BusinessDay, number>();

  constructor(most = MOST_ORDERS) {
    this.#most = most;
    this.#slots = new Float64Array(most * WIDTH);
  }

  /** Keeps what an order adds now. */
  keep(no: number, facet: number, share: OrderShare): void {
    const at = this.#placeOf(no);
    const slots = this.#slots;
    slots[at + NO] = 0;
    const { settledDay, terms, termRank, matchTerms, makesItem, cells } = share;
    const [cell, another] = cells;
    if (
      cell === undefined ||
      another !== undefined ||
      settledDay !== null ||
      !measuresEq.equals(cell.measures, plainMeasures(cell.measures.fiat))
    )
      return;
    const { coefficient, scale } = cell.measures.fiat;
    const amount = Number(coefficient);
    if (!Number.isSafeInteger(amount) || terms.length + matchTerms.length > MOST_FOUND_BY) return;
    // First: where there are too many days, everything is forgotten.
    slots[at + DAY] = this.#numberOfDay(cell.day);
    slots[at + NO] = no;
    slots[at + FACET] = facet;
    slots[at + COEFFICIENT] = amount;
    slots[at + SCALE] = scale;
    slots[at + RANK] = termRank;
    slots[at + MAKES_ITEM] = makesItem ? 1 : 0;
    slots[at + TERMS] = terms.length;
    slots[at + MATCH_TERMS] = matchTerms.length;
    let next = at + FOUND_BY;
    for (const term of terms) slots[next++] = term;
    for (const term of matchTerms) slots[next++] = term;
  }

  /** What the order of a number added when it was last kept; null where that is not known. */
  get(no: number): KeptShare | null {
    const at = this.#placeOf(no);
    const number = (place: number): number => this.#slots[at + place] ?? 0;
    const day = this.#days[number(DAY)];
    if (number(NO) !== no || day === undefined) return null;
    const fiat = exactOfParts({ coefficient: BigInt(number(COEFFICIENT)), scale: number(SCALE) });
    return {
      facet: number(FACET),
      settledDay: null,
      terms: this.#numbers(at + FOUND_BY, number(TERMS)),
      termRank: number(RANK),
      matchTerms: this.#numbers(at + FOUND_BY + number(TERMS), number(MATCH_TERMS)),
      makesItem: number(MAKES_ITEM) === 1,
      cells: [{ basis: 'created', day, measures: plainMeasures(fiat) }],
    };
  }

  /** Forgets all of them: others may have been written since. */
  clear(): void {
    this.#slots.fill(0);
    this.#days.length = 0;
    this.#numbersOfDays.clear();
  }

  #numbers(from: number, count: number): readonly number[] {
    const numbers: number[] = [];
    for (let at = from; at < from + count; at += 1) numbers.push(this.#slots[at] ?? 0);
    return numbers;
  }

  #placeOf(no: number): number {
    return (no % this.#most) * WIDTH;
  }

  #numberOfDay(day: BusinessDay): number {
    const known = this.#numbersOfDays.get(day);
    if (known !== undefined) return known;
    if (this.#days.length >= MOST_DAYS) this.clear();
    const number = this.#days.push(day) - 1;
    this.#numbersOfDays.set(day, number);
    return number;
  }
}
