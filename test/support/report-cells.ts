import * as fc from 'fast-check';
import { branded } from '../../src/domain/brand.ts';
import type { Decimal } from '../../src/domain/decimal.ts';
import { exactOf, negated, times, type Exact } from '../../src/domain/exact.ts';
import type { Flow } from '../../src/domain/flow.ts';
import { phaseOf } from '../../src/domain/status.ts';
import { measuresGroup, type Facet, type Measures, type ReportCell } from '../../projections/report/index.ts';
import { decimalTexts, listedStatuses } from './arbitraries.ts';

const exact = (text: string): Exact => exactOf(branded<Decimal>(text));

const amounts: fc.Arbitrary<Exact> = fc
  .tuple(decimalTexts, fc.boolean())
  .map(([text, negative]) => (negative ? negated(exact(text)) : exact(text)));

/** Any sums, negative ones among them: what a contribution taken out leaves for a moment. */
export const measures: fc.Arbitrary<Measures> = fc.record({
  orders: fc.integer({ min: -1000, max: 1000 }),
  fiat: amounts,
  tokenAmount: amounts,
  baseUnits: amounts,
  commission: amounts,
  tds: amounts,
  ratedAmount: amounts,
  rateWeight: fc.tuple(amounts, amounts).map(([amount, rate]) => times(amount, rate)),
});

const chains: fc.Arbitrary<Decimal> = fc.constantFrom('1', '9', '137', '80001').map((id) => branded<Decimal>(id));

/** Facets of a flow whose phase is that of their status. */
const facets = (flow: Flow): fc.Arbitrary<Facet> =>
  fc
    .record({
      status: fc.oneof({ weight: 9, arbitrary: listedStatuses(flow) }, { weight: 1, arbitrary: fc.constant('onHold') }),
      currency: fc.constantFrom('INR', 'USD', 'EUR'),
      symbol: fc.constantFrom('USDT', 'usdt', 'MATIC'),
      address: fc.constantFrom('0xDAC1', '0xdac1', '0xEEEE'),
      chainId: chains,
      lasting: fc.constantFrom<Facet['lasting']>([], ['fact-changed'], ['conflicting-delivery', 'fact-changed']),
      clock: fc.constantFrom<Facet['clock']>(null, 'overdue'),
    })
    .map((facet) => ({ ...facet, flow, phase: phaseOf(flow, facet.status) }));

const days: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 70 })
  .map((after) => new Date(Date.UTC(2023, 11, 1) + after * 86_400_000).toISOString().slice(0, 10));

const ofPhase = (facet: Facet, { orders, fiat, ...tokens }: Measures): Measures => ({
  ...measuresGroup.empty,
  orders: Math.abs(orders) + 1,
  fiat,
  ...(facet.phase === 'settled' ? tokens : {}),
});

/** Cells of a flow, each standing for at least one order. */
export const reportCells = (flow: Flow): fc.Arbitrary<readonly ReportCell[]> =>
  fc.array(
    fc
      .tuple(days, facets(flow), measures)
      .map(([period, facet, sums]) => ({ period, facet, measures: ofPhase(facet, sums) })),
    { maxLength: 40 },
  );
