/** The names of what can be wrong with an item (docs/spec/match.md, Breaks). */
export const BREAK_CODES = [
  'missing-at-provider',
  'missing-at-bank',
  'missing-on-chain',
  'duplicate',
  'amount-over',
  'amount-under',
  'currency-mismatch',
  'token-mismatch',
  'recipient-mismatch',
  'fee-variance',
  'tds-variance',
  'unknown-reference',
  'ambiguous',
  'date-outside-tolerance',
  'timing',
  'reversed',
  'status-conflict',
] as const;

export type BreakCode = (typeof BREAK_CODES)[number];

/** One thing that is wrong, or not yet right: the field that differs, and what each side has in it; null where it has nothing. */
export type Break = {
  readonly code: BreakCode;
  readonly field: string;
  readonly order: string | null;
  readonly bank: string | null;
  readonly chain: string | null;
};

export const breakOf = (
  code: BreakCode,
  field: string,
  sides: Partial<Pick<Break, 'order' | 'bank' | 'chain'>> = {},
): Break => ({ code, field, order: sides.order ?? null, bank: sides.bank ?? null, chain: sides.chain ?? null });
