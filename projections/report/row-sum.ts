import { plus, ZERO, type Exact } from '../../src/domain/exact.ts';
import type { Phase } from '../../src/domain/status.ts';
import type { FacetClass, LineKey } from './facet-class.ts';
import type { Measures } from './measures.ts';

/** The sums of a token line so far. */
export type LineSum = { amount: Exact; baseUnits: Exact; ratedAmount: Exact; rateWeight: Exact };

/**
 * The sums of a row so far. Orders are counted for each class of facets, which everything but amounts follows from, so that
 * cells that cancel out leave nothing behind, whatever their order. Mutable, for tens of thousands of cells; it stays
 * inside of one report.
 */
export class RowSum {
  readonly orders = new Map<FacetClass, number>();
  readonly fiat: Record<Phase, Exact> = {
    settled: ZERO,
    refunded: ZERO,
    refunding: ZERO,
    expired: ZERO,
    deemed: ZERO,
    failed: ZERO,
    open: ZERO,
  };
  readonly lines = new Map<LineKey, LineSum>();
  commission = ZERO;
  tds = ZERO;

  add(of: FacetClass, measures: Measures): void {
    const { phase } = of.facet;
    this.orders.set(of, (this.orders.get(of) ?? 0) + measures.orders);
    this.fiat[phase] = plus(this.fiat[phase], measures.fiat);
    // Only here are the others not zero.
    if (phase !== 'settled') return;
    this.commission = plus(this.commission, measures.commission);
    this.tds = plus(this.tds, measures.tds);
    const line = this.#line(of.line);
    line.amount = plus(line.amount, measures.tokenAmount);
    line.baseUnits = plus(line.baseUnits, measures.baseUnits);
    line.ratedAmount = plus(line.ratedAmount, measures.ratedAmount);
    line.rateWeight = plus(line.rateWeight, measures.rateWeight);
  }

  addRow(row: RowSum): void {
    for (const [of, orders] of row.orders) this.orders.set(of, (this.orders.get(of) ?? 0) + orders);
    this.fiat.settled = plus(this.fiat.settled, row.fiat.settled);
    this.fiat.refunded = plus(this.fiat.refunded, row.fiat.refunded);
    this.fiat.refunding = plus(this.fiat.refunding, row.fiat.refunding);
    this.fiat.expired = plus(this.fiat.expired, row.fiat.expired);
    this.fiat.deemed = plus(this.fiat.deemed, row.fiat.deemed);
    this.fiat.failed = plus(this.fiat.failed, row.fiat.failed);
    this.fiat.open = plus(this.fiat.open, row.fiat.open);
    this.commission = plus(this.commission, row.commission);
    this.tds = plus(this.tds, row.tds);
    for (const [key, its] of row.lines) {
      const line = this.#line(key);
      line.amount = plus(line.amount, its.amount);
      line.baseUnits = plus(line.baseUnits, its.baseUnits);
      line.ratedAmount = plus(line.ratedAmount, its.ratedAmount);
      line.rateWeight = plus(line.rateWeight, its.rateWeight);
    }
  }

  #line(key: LineKey): LineSum {
    const known = this.lines.get(key);
    if (known !== undefined) return known;
    const line: LineSum = { amount: ZERO, baseUnits: ZERO, ratedAmount: ZERO, rateWeight: ZERO };
    this.lines.set(key, line);
    return line;
  }
}
