import type { Decimal } from '../../domain/decimal.ts';
import { exactOf, plainText, plus, ZERO, type Exact } from '../../domain/exact.ts';

const AMOUNTS = ['fiat', 'commission', 'tds'] as const;

/** The amounts of one row that are in its currency; null where it has none. */
export type RowAmounts = Readonly<Record<(typeof AMOUNTS)[number], Decimal | null>>;

/** What the rows of a currency come to, without trailing zeros (docs/spec/finance.md, Money). */
export type CurrencySum = { readonly currency: string; readonly rows: number } & Readonly<
  Record<(typeof AMOUNTS)[number], Decimal>
>;

type Sum = Record<(typeof AMOUNTS)[number], Exact> & { rows: number };

/** Counts the rows of an export and adds up their amounts, to the last digit, each currency by itself. */
export class ExportSums {
  readonly #byCurrency = new Map<string, Sum>();
  rows = 0;

  add(currency: string, amounts: RowAmounts): void {
    let sum = this.#byCurrency.get(currency);
    if (sum === undefined) {
      sum = { rows: 0, fiat: ZERO, commission: ZERO, tds: ZERO };
      this.#byCurrency.set(currency, sum);
    }
    sum.rows += 1;
    for (const name of AMOUNTS) {
      const amount = amounts[name];
      if (amount !== null) sum[name] = plus(sum[name], exactOf(amount));
    }
  }

  /** In the order of the currencies' codes. */
  get sums(): readonly CurrencySum[] {
    return [...this.#byCurrency]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([currency, { rows, fiat, commission, tds }]) => ({
        currency,
        rows,
        fiat: plainText(fiat),
        commission: plainText(commission),
        tds: plainText(tds),
      }));
  }
}
