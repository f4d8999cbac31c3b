import type { MatchLine } from './match-index.ts';
import { stands, type MatchOrder } from './match-order.ts';
import { cutWords } from './cut-words.ts';
import { hasWhole } from './words.ts';

/** The rules that join, from sure to weak; the last is of transfers (docs/spec/match.md, Rules). */
export const MATCH_RULES = ['utr', 'utr-in-text', 'reference', 'amount-and-day', 'txn-hash'] as const;

export type MatchRule = (typeof MATCH_RULES)[number];

/** How surely a line names an order. */
export type LineLink = {
  readonly rule: Extract<MatchRule, 'utr' | 'utr-in-text' | 'reference'>;
  /** The smaller, the surer: a line goes with the orders of its least rank, and with no other. */
  readonly rank: number;
};

type NamedLine = Pick<MatchLine, 'references' | 'text' | 'atWraps'>;

/** A utr that failed or was given up may come again: whoever still stands with it has the line. */
const ranked = (rule: LineLink['rule'], rank: number, isStanding: boolean): LineLink => ({
  rule,
  rank: isStanding ? rank : rank + 1,
});

/** Whether a utr stands whole, or would, had the text not been wrapped there: the width of a field says nothing of a payment. */
const hasUtr = ({ references, text, atWraps }: NamedLine, utr: string): boolean =>
  [text, ...references].some((said) => hasWhole(said, utr)) ||
  (atWraps?.joints.some((joint) => hasWhole(joint, utr) || cutWords(joint).includes(utr)) ?? false);

const hasCutUtr = ({ references, text }: NamedLine, utr: string): boolean =>
  [text, ...references].some((said) => cutWords(said).includes(utr));

/** Whether a line names a utr, in a reference of its own or in a text, whole or cut by blanks. */
export const namesUtr = (line: NamedLine, utr: string): boolean => hasUtr(line, utr) || hasCutUtr(line, utr);

/** The references that stand in places for them: a word of the text is one as little beside a wrap as in the middle of a line. */
export const placedReferences = ({ references, atWraps }: NamedLine): readonly string[] =>
  atWraps === undefined ? references : references.filter((reference) => !atWraps.words.includes(reference));

/** The surest way in which a line names an order; null where it names it in none. */
export const linkOf = (line: NamedLine, order: MatchOrder): LineLink | null => {
  const references = placedReferences(line);
  const exact = order.payouts.filter(({ utr }) => utr !== null && references.includes(utr));
  if (exact.length > 0)
    return ranked(
      'utr',
      0,
      exact.some((payout) => stands(order, payout)),
    );
  const within = order.payouts.filter(({ utr }) => utr !== null && hasUtr(line, utr));
  if (within.length > 0)
    return ranked(
      'utr-in-text',
      2,
      within.some((payout) => stands(order, payout)),
    );
  const cut = order.payouts.filter(({ utr }) => utr !== null && hasCutUtr(line, utr));
  if (cut.length > 0)
    return ranked(
      'utr-in-text',
      4,
      cut.some((payout) => stands(order, payout)),
    );
  const isNamed = references.some((reference) => reference === order.orderId || reference === order.transactionId);
  return isNamed ? { rule: 'reference', rank: 6 } : null;
};
