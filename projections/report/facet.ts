import { normalised, type Decimal } from '../../src/domain/decimal.ts';
import type { Flow } from '../../src/domain/flow.ts';
import type { Phase } from '../../src/domain/status.ts';
import type { ClockAnomalyCode, LastingAnomalyCode, OrderState } from '../order-state/index.ts';

/** Everything about an order that puts it into a class, and nothing that is counted: reports and filters choose by it. */
export type Facet = {
  readonly flow: Flow;
  /** The shown one. */
  readonly status: string;
  readonly phase: Phase;
  /** In upper case. */
  readonly currency: string;
  readonly symbol: string;
  /** As the order shows it: letter case may differ between orders of one token. */
  readonly address: string;
  /** Without trailing zeros, so that equal chains are equal texts. */
  readonly chainId: Decimal;
  /** Each once, in code-unit order. */
  readonly lasting: readonly LastingAnomalyCode[];
  /** The anomaly that the clock brings, or will bring, if nothing more arrives. */
  readonly clock: ClockAnomalyCode | null;
};

const NONE: Facet['lasting'] = [];

export const facetOf = ({ flow, status, phase, fiat, token, anomalies, clockAnomaly }: OrderState): Facet => ({
  flow,
  status,
  phase,
  currency: fiat.currency,
  symbol: token.symbol,
  address: token.address,
  chainId: normalised(token.chainId),
  lasting: anomalies.length === 0 ? NONE : [...new Set(anomalies.map(({ code }) => code))].toSorted(),
  clock: clockAnomaly?.code ?? null,
});

/** One text for equal facets, and no other has it. */
export const facetKey = (facet: Facet): string =>
  JSON.stringify([
    facet.flow,
    facet.status,
    facet.phase,
    facet.currency,
    facet.symbol,
    facet.address,
    facet.chainId,
    facet.lasting,
    facet.clock,
  ]);
