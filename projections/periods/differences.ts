import { lowerAscii } from '../../src/domain/letter-case.ts';
import { exactOf, minus, plainText, ZERO } from '../../src/domain/exact.ts';
import type { Decimal } from '../../src/domain/decimal.ts';
import type { ReportSums } from '../report/index.ts';

/** A measure of a report that counts orders, or sums amounts. */
type Measure = number | Decimal;

/** A measure as it was closed and as it is now. Counts are numbers, amounts texts. */
export type Difference = { readonly closed: Measure; readonly now: Measure; readonly difference: Measure };

type Named = ReadonlyMap<string, Measure>;

/**
 * The measures of one currency by name (docs/spec/http.md, Periods). A rate is no sum, and is none of them.
 */
const measuresOf = (sums: ReportSums | null): Named => {
  const measures = new Map<string, Measure>();
  if (sums === null) return measures;
  measures.set('orders', sums.orders);
  for (const [status, orders] of sums.byStatus) measures.set(`byStatus.${status}`, orders);
  for (const [part, amount] of Object.entries(sums.fiat)) measures.set(`fiat.${part}`, amount);
  for (const { address, chainId, amount, baseUnits } of sums.tokens) {
    const line = `tokens.${lowerAscii(address)}@${chainId}`;
    measures.set(`${line}.amount`, amount);
    if (baseUnits !== null) measures.set(`${line}.baseUnits`, baseUnits);
  }
  measures.set('commission', sums.commission);
  measures.set('tds', sums.tds);
  measures.set('anomalies', sums.anomalies);
  return measures;
};

const zeroLike = (measure: Measure): Measure => (typeof measure === 'number' ? 0 : plainText(ZERO));

const differenceOf = (closed: Measure, now: Measure): Measure =>
  typeof closed === 'number' || typeof now === 'number'
    ? Number(now) - Number(closed)
    : plainText(minus(exactOf(now), exactOf(closed)));

/** The measures of one currency that differ, by name, in code-unit order; null: there were, or are, no orders of it. */
export const differences = (closed: ReportSums | null, now: ReportSums | null): ReadonlyMap<string, Difference> => {
  const [before, after] = [measuresOf(closed), measuresOf(now)];
  const found = new Map<string, Difference>();
  for (const name of [...new Set([...before.keys(), ...after.keys()])].toSorted()) {
    const [was, is] = [before.get(name), after.get(name)];
    const closedAs = was ?? (is === undefined ? 0 : zeroLike(is));
    const isNow = is ?? zeroLike(closedAs);
    if (closedAs !== isNow) {
      found.set(name, { closed: closedAs, now: isNow, difference: differenceOf(closedAs, isNow) });
    }
  }
  return found;
};
