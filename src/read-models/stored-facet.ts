import * as t from 'io-ts';
import {
  CLOCK_ANOMALIES,
  LASTING_ANOMALIES,
  type ClockAnomalyCode,
  type LastingAnomalyCode,
} from '../../projections/order-state/index.ts';
import type { Facet } from '../../projections/report/index.ts';
import { parseDecimal, type Decimal } from '../domain/decimal.ts';
import { guardedText } from '../domain/guarded-text.ts';
import { readArray } from './stored-array.ts';
import { PHASES, type Phase } from '../domain/status.ts';

const isPhase = (text: string): text is Phase => PHASES.some((phase) => phase === text);
const isLasting = (text: string): text is LastingAnomalyCode => LASTING_ANOMALIES.some((code) => code === text);
const isClock = (text: string): text is ClockAnomalyCode => CLOCK_ANOMALIES.some((code) => code === text);
const isDecimal = (text: string): text is Decimal => parseDecimal(text) === text;

const FacetCodec: { readonly is: t.Is<Facet> } = t.type({
  flow: t.union([t.literal('onramp'), t.literal('offramp')]),
  status: t.string,
  phase: guardedText('phase', isPhase),
  currency: t.string,
  symbol: t.string,
  address: t.string,
  chainId: guardedText('decimal', isDecimal),
  lasting: t.readonlyArray(guardedText('anomaly', isLasting)),
  clock: t.union([guardedText('clock anomaly', isClock), t.null]),
});

/** Reads what `facetKey` wrote; null for anything else. */
export const readFacet = (key: string): Facet | null => {
  const parts = readArray(key);
  if (parts === null) return null;
  const [flow, status, phase, currency, symbol, address, chainId, lasting, clock] = parts;
  const facet: unknown = { flow, status, phase, currency, symbol, address, chainId, lasting, clock };
  return FacetCodec.is(facet) ? facet : null;
};
