import { ord as Ord, readonlyArray as RA, string as S } from 'fp-ts';
import { exactOrd, plainText, plus, quotient12 } from '../../src/domain/exact.ts';
import type { Flow } from '../../src/domain/flow.ts';
import type { FacetClass, LineKey } from './facet-class.ts';
import type { ReportSums, TokenLine } from './report.ts';
import type { LineSum, RowSum } from './row-sum.ts';

const lower = Ord.min(S.Ord);

/** How a token line is shown. */
type Spelling = { readonly symbol: string; readonly address: string };

type ShownLine = readonly [LineKey, Spelling];

const byAddressAndChain: (lines: readonly ShownLine[]) => readonly ShownLine[] = RA.sortBy([
  Ord.contramap(([{ lowerAddress }]: ShownLine) => lowerAddress)(S.Ord),
  Ord.contramap(([{ chain }]: ShownLine) => chain.value)(exactOrd),
]);

/** The lines that settled orders make, in their order, each with its lowest spellings. */
const shownLines = (classes: readonly FacetClass[]): readonly ShownLine[] => {
  const lines = new Map<LineKey, Spelling>();
  for (const { facet, line } of classes) {
    if (facet.phase !== 'settled') continue;
    const { symbol, address } = lines.get(line) ?? facet;
    lines.set(line, { symbol: lower(symbol, facet.symbol), address: lower(address, facet.address) });
  }
  return byAddressAndChain([...lines]);
};

const tokenLine = (flow: Flow, [key, spelling]: ShownLine, sum: LineSum): TokenLine => ({
  ...spelling,
  chainId: key.chain.id,
  amount: plainText(sum.amount),
  baseUnits: flow === 'onramp' ? plainText(sum.baseUnits) : null,
  averageConversionRate: flow === 'onramp' ? quotient12(sum.rateWeight, sum.ratedAmount) : null,
});

const inStatusOrder = (byStatus: ReadonlyMap<string, number>): ReadonlyMap<string, number> =>
  byStatus.size === 1 ? byStatus : new Map([...byStatus].toSorted(([a], [b]) => S.Ord.compare(a, b)));

/** What a row or a total of one currency shows; null where no order is left in it. */
export const reportSums = (flow: Flow, currency: string, sum: RowSum): ReportSums | null => {
  const byStatus = new Map<string, number>();
  const classes: FacetClass[] = [];
  let [orders, anomalies] = [0, 0];
  for (const [of, count] of sum.orders) {
    if (count === 0) continue;
    classes.push(of);
    orders += count;
    if (of.facet.lasting.length > 0) anomalies += count;
    byStatus.set(of.facet.status, (byStatus.get(of.facet.status) ?? 0) + count);
  }
  if (classes.length === 0) return null;
  const { settled, refunded, refunding, expired, deemed, failed, open } = sum.fiat;
  return {
    currency,
    orders,
    byStatus: inStatusOrder(byStatus),
    fiat: {
      asked: plainText([settled, refunded, refunding, expired, deemed, failed, open].reduce(plus)),
      settled: plainText(settled),
      refunded: plainText(refunded),
      refunding: plainText(refunding),
      expired: plainText(expired),
      deemed: plainText(deemed),
      failed: plainText(failed),
      open: plainText(open),
    },
    tokens: shownLines(classes).flatMap((line) => {
      const its = sum.lines.get(line[0]);
      return its === undefined ? [] : [tokenLine(flow, line, its)];
    }),
    commission: plainText(sum.commission),
    tds: plainText(sum.tds),
    anomalies,
  };
};
