import {
  orderDayKey,
  orderHashKey,
  orderReferences,
  orderWords,
  lineDayKey,
  lineWords,
  transferHashKey,
} from '../../projections/match/match-keys.ts';
import type { MatchLine, MatchTransfer } from '../../projections/match/match-index.ts';
import { dueOf, type MatchOrder } from '../../projections/match/match-order.ts';

/** What the match finds orders by, as terms of one index. */
export const ORDER_TERMS = {
  reference: (text: string): string => `order ref ${text}`,
  word: (text: string): string => `order word ${text}`,
  hash: (key: string): string => `order hash ${key}`,
  day: (key: string): string => `order day ${key}`,
} as const;

/** What it finds lines and transfers by: terms of their own, so that a reference of many orders is no burden to lines. */
export const EVIDENCE_TERMS = {
  reference: (text: string): string => `line ref ${text}`,
  word: (text: string): string => `line word ${text}`,
  hash: (key: string): string => `transfer hash ${key}`,
  day: (key: string): string => `line day ${key}`,
} as const;

const one = (term: (key: string) => string, key: string | null): readonly string[] => (key === null ? [] : [term(key)]);

/** A key of day and amount for each meaning that an order's fiat may have: which it has, the settings say. */
const dayKeys = (order: MatchOrder): readonly string[] =>
  (['net', 'gross'] as const).flatMap((offRampFiat) => orderDayKey(order, { offRampFiat }) ?? []);

/** The terms under which the match finds an order; by its id it is found otherwise. */
export const orderMatchTerms = (order: MatchOrder): readonly string[] => {
  const references = orderReferences(order).filter((reference) => reference !== order.orderId);
  const words = orderWords(order).filter((word) => !references.includes(word));
  return [
    ...references.map(ORDER_TERMS.reference),
    ...words.map(ORDER_TERMS.word),
    ...one(ORDER_TERMS.hash, orderHashKey(order)),
    ...new Set(dayKeys(order).map(ORDER_TERMS.day)),
  ];
};

/** What of an order must not be another's too: utrs of paid payouts, and the transaction that settled it. */
export const orderClaims = (order: MatchOrder): readonly string[] => [
  ...order.payouts.flatMap(({ utr, state }) => (utr !== null && state === 'paid' ? [ORDER_TERMS.reference(utr)] : [])),
  ...one(ORDER_TERMS.hash, dueOf(order) === 'onramp' ? orderHashKey(order) : null),
];

export const lineMatchTerms = (line: MatchLine): readonly string[] => [
  ...line.references.map(EVIDENCE_TERMS.reference),
  ...lineWords(line).map(EVIDENCE_TERMS.word),
  ...one(EVIDENCE_TERMS.day, lineDayKey(line)),
];

export const transferMatchTerms = (transfer: MatchTransfer): readonly string[] => [
  EVIDENCE_TERMS.hash(transferHashKey(transfer)),
];
