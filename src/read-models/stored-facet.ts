import * as t from 'io-ts';
import { CLOCK_ANOMALIES, LASTING_ANOMALIES } from '../../projections/order-state/index.ts';
import type { Facet } from '../../projections/report/index.ts';
import { DecimalText } from '../domain/decimal.ts';
import { FLOWS } from '../domain/flow.ts';
import { oneOf } from '../domain/guarded.ts';
import { readArray } from './stored-array.ts';
import { PHASES } from '../domain/status.ts';

const FacetCodec: { readonly is: t.Is<Facet> } = t.type({
  flow: oneOf('flow', FLOWS),
  status: t.string,
  phase: oneOf('phase', PHASES),
  currency: t.string,
  symbol: t.string,
  address: t.string,
  chainId: DecimalText,
  lasting: t.readonlyArray(oneOf('anomaly', LASTING_ANOMALIES)),
  clock: t.union([oneOf('clock anomaly', CLOCK_ANOMALIES), t.null]),
});

/** Reads what `facetKey` wrote; null for anything else. */
export const readFacet = (key: string): Facet | null => {
  const parts = readArray(key);
  if (parts === null) return null;
  const [flow, status, phase, currency, symbol, address, chainId, lasting, clock] = parts;
  const facet: unknown = { flow, status, phase, currency, symbol, address, chainId, lasting, clock };
  return FacetCodec.is(facet) ? facet : null;
};
