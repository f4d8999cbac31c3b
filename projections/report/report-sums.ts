import * as Ord from 'fp-ts/lib/Ord.js';
import * as RA from 'fp-ts/lib/ReadonlyArray.js';
import * as S from 'fp-ts/lib/string.js';
import type { Decimal } from '../../src/domain/decimal.ts';
import { exactOrd, plainText, quotient12, ZERO } from '../../src/domain/exact.ts';
import type { Flow } from '../../src/domain/flow.ts';
import type { Phase } from '../../src/domain/status.ts';
import type { FacetClass, LineKey } from './facet-class.ts';
import type { ReportSums, TokenLine } from './report.ts';
import { addTo, measuresGroup, type Measures, type SumsBy } from './measures.ts';

const lower = Ord.min(S.Ord);

/** How a token line is shown. */
type Spelling = { readonly symbol: string; readonly address: string };

type ShownLine = readonly [LineKey, Spelling];

const byAddressAndChain: (lines: readonly ShownLine[]) => readonly ShownLine[] = RA.sortBy([
  Ord.contramap(([{ lowerAddress }]: ShownLine) => lowerAddress)(S.Ord),
  Ord.contramap(([{ chain }]: ShownLine) => chain.value)(exactOrd),
]);

/** The lines that classes of settled orders make, in their order, each with its lowest spellings. */
const shownLines = (classes: readonly FacetClass[]): readonly ShownLine[] => {
  const lines = new Map<LineKey, Spelling>();
  for (const { facet, line } of classes) {
    const { symbol, address } = lines.get(line) ?? facet;
    lines.set(line, { symbol: lower(symbol, facet.symbol), address: lower(address, facet.address) });
  }
  return byAddressAndChain([...lines]);
};

const tokenLine = (flow: Flow, [key, spelling]: ShownLine, sum: Measures): TokenLine => ({
  ...spelling,
  chainId: key.chain.id,
  amount: plainText(sum.tokenAmount),
  baseUnits: flow === 'onramp' ? plainText(sum.baseUnits) : null,
  averageConversionRate: flow === 'onramp' ? quotient12(sum.rateWeight, sum.ratedAmount) : null,
});

type ClassSum = readonly [of: FacetClass, sum: Measures];

const totalOf: (sums: readonly ClassSum[]) => Measures = RA.foldMap(measuresGroup)(([, sum]) => sum);

const sumsBy = <K>(sums: readonly ClassSum[], key: (of: FacetClass) => K): ReadonlyMap<K, Measures> => {
  const byKey: SumsBy<K> = new Map();
  for (const [of, sum] of sums) addTo(byKey, key(of), sum);
  return byKey;
};

/** Orders by status, in code-unit order of the statuses. */
const countsByStatus = (sums: readonly ClassSum[]): ReadonlyMap<string, number> =>
  new Map(
    [...sumsBy(sums, ({ facet }) => facet.status)]
      .map(([status, { orders }]) => [status, orders] as const)
      .toSorted(([a], [b]) => S.Ord.compare(a, b)),
  );

const fiatByPhase = (sums: readonly ClassSum[]): ReportSums['fiat'] => {
  const byPhase = sumsBy(sums, ({ facet }) => facet.phase);
  const of = (phase: Phase): Decimal => plainText(byPhase.get(phase)?.fiat ?? ZERO);
  return {
    asked: plainText(totalOf(sums).fiat),
    settled: of('settled'),
    refunded: of('refunded'),
    refunding: of('refunding'),
    expired: of('expired'),
    deemed: of('deemed'),
    failed: of('failed'),
    open: of('open'),
  };
};

/**
 * What a row or a total of one currency shows, from its sums by class; null where no order is left in it. A class whose
 * orders cancel out is not shown, whatever the order in which they came and went.
 */
export const reportSums = (
  flow: Flow,
  currency: string,
  byClass: ReadonlyMap<FacetClass, Measures>,
): ReportSums | null => {
  const sums: readonly ClassSum[] = [...byClass].filter(([, { orders }]) => orders !== 0);
  if (sums.length === 0) return null;
  const { orders, commission, tds } = totalOf(sums);
  const settled = sums.filter(([{ facet }]) => facet.phase === 'settled');
  const byLine = sumsBy(settled, ({ line }) => line);
  return {
    currency,
    orders,
    byStatus: countsByStatus(sums),
    fiat: fiatByPhase(sums),
    tokens: shownLines(settled.map(([of]) => of)).map((line) =>
      tokenLine(flow, line, byLine.get(line[0]) ?? measuresGroup.empty),
    ),
    commission: plainText(commission),
    tds: plainText(tds),
    anomalies: totalOf(sums.filter(([{ facet }]) => facet.lasting.length > 0)).orders,
  };
};
