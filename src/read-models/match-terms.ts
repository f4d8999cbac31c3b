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
import type { MatchSettings } from '../domain/match-settings.ts';
import { shortDigestBehind } from '../domain/short-digest.ts';
import { referenceTerm } from './line-search.ts';

/** What the match finds orders by, as terms of one index: short digests of texts. */
export const ORDER_TERMS = {
  reference: shortDigestBehind('order ref '),
  word: shortDigestBehind('order word '),
  hash: shortDigestBehind('order hash '),
  day: shortDigestBehind('order day '),
} as const;

/** What it finds lines and transfers by: terms of their own, so that a reference of many orders is no burden to lines. */
export const EVIDENCE_TERMS = {
  reference: referenceTerm,
  word: shortDigestBehind('line word '),
  hash: shortDigestBehind('transfer hash '),
  day: shortDigestBehind('line day '),
  name: shortDigestBehind('evidence '),
} as const;

/** What two are looked for by from each other. */
type Neighbours = {
  readonly order: MatchOrder | null;
  readonly line: MatchLine | null;
  readonly transfer: MatchTransfer | null;
};

const one = (term: (key: string) => number, key: string | null): readonly number[] => (key === null ? [] : [term(key)]);

/** A key of day and amount for each meaning that an order's fiat may have: which it has, the settings say. */
const dayTerms = (order: MatchOrder): readonly number[] => {
  const net = orderDayKey(order, { offRampFiat: 'net' });
  const gross = order.flow === 'onramp' ? net : orderDayKey(order, { offRampFiat: 'gross' });
  return net === gross ? one(ORDER_TERMS.day, net) : [...one(ORDER_TERMS.day, net), ...one(ORDER_TERMS.day, gross)];
};

/** The terms under which the match finds an order; by its id it is found otherwise, but for a utr that is the same text. */
export const orderMatchTerms = (order: MatchOrder): readonly number[] => {
  const isUtr = (reference: string): boolean => order.payouts.some(({ utr }) => utr === reference);
  const references = orderReferences(order).filter((reference) => reference !== order.orderId || isUtr(reference));
  const words = orderWords(order).filter((word) => !references.includes(word));
  return [
    ...references.map(ORDER_TERMS.reference),
    ...words.map(ORDER_TERMS.word),
    ...one(ORDER_TERMS.hash, orderHashKey(order)),
    ...dayTerms(order),
  ];
};

/** What of an order must not be another's too: utrs of paid payouts, and the transaction that settled it. */
export const orderClaims = (order: MatchOrder): readonly number[] => [
  ...order.payouts.flatMap(({ utr, state }) => (utr !== null && state === 'paid' ? [ORDER_TERMS.reference(utr)] : [])),
  ...one(ORDER_TERMS.hash, dueOf(order) === 'onramp' ? orderHashKey(order) : null),
];

export const lineMatchTerms = (line: MatchLine): readonly number[] => [
  ...line.references.map(EVIDENCE_TERMS.reference),
  ...lineWords(line).map(EVIDENCE_TERMS.word),
  ...one(EVIDENCE_TERMS.day, lineDayKey(line)),
];

export const transferMatchTerms = (transfer: MatchTransfer): readonly number[] => [
  EVIDENCE_TERMS.hash(transferHashKey(transfer)),
];

/**
 * Terms that lead to what may belong together with an order, a line or a transfer, and to what is of one amount and day with
 * it, or of one utr or hash.
 */
export const neighbourTerms = (
  { order, line, transfer }: Neighbours,
  settings: Pick<MatchSettings, 'offRampFiat'>,
): readonly number[] => {
  const [day, hash] = [
    order === null ? (line === null ? null : lineDayKey(line)) : orderDayKey(order, settings),
    order === null ? (transfer === null ? null : transferHashKey(transfer)) : orderHashKey(order),
  ];
  return [
    ...[ORDER_TERMS.day, EVIDENCE_TERMS.day].flatMap((term) => one(term, day)),
    ...[ORDER_TERMS.hash, EVIDENCE_TERMS.hash].flatMap((term) => one(term, hash)),
    ...(order === null ? [] : [...orderClaims(order), ...orderReferences(order).map(EVIDENCE_TERMS.reference)]),
    ...(order === null ? [] : orderWords(order).map(EVIDENCE_TERMS.word)),
    ...(line === null ? [] : line.references.map(ORDER_TERMS.reference)),
    ...(line === null ? [] : lineWords(line).map(ORDER_TERMS.word)),
  ];
};
