import type { BreakCode } from '../../../projections/match/break.ts';
import type { MatchState } from '../../../projections/match/match-item.ts';
import type { AskedState } from '../../read-models/match-questions.ts';
import type { MatchRule } from '../../../projections/match/rule.ts';

/** States as people call them. */
export const STATE_WORDS: Readonly<Record<MatchState, string>> = {
  matched: 'Matched',
  expected: 'Expected',
  'unmatched-order': 'Missing at bank or chain',
  'unmatched-line': 'Bank line without an order',
  'unmatched-transfer': 'Transfer without an order',
  ambiguous: 'Several fit',
  break: 'Does not agree',
  explained: 'Explained',
};

/** What may be asked for, as people call it. */
export const ASKED_STATE_WORDS: Readonly<Record<Exclude<AskedState, 'open'>, string>> = {
  ...STATE_WORDS,
  unmatched: 'Bank lines and payouts without a match',
};

/** What joined an item, as people say it. */
export const RULE_WORDS: Readonly<Record<MatchRule, string>> = {
  utr: 'by its UTR',
  'utr-in-text': "by its UTR in the bank's text",
  reference: 'by order or transaction id',
  'amount-and-day': 'by amount and day alone',
  'txn-hash': 'by its transaction hash',
};

/** What a bank line did, by its direction. */
export const MOVED_WORDS: Readonly<Record<string, string>> = { out: 'paid out', in: 'received' };

/** Breaks as people call them. */
export const BREAK_WORDS: Readonly<Record<BreakCode, string>> = {
  'missing-at-provider': 'The provider has no order for it',
  'missing-at-bank': 'The bank has nothing for it',
  'missing-on-chain': 'Nothing arrived on chain',
  duplicate: 'Two orders have it',
  'amount-over': 'More was moved',
  'amount-under': 'Less was moved',
  'currency-mismatch': 'Another currency',
  'token-mismatch': 'Another token',
  'recipient-mismatch': 'Another wallet',
  'fee-variance': 'The difference is the commission',
  'tds-variance': 'The difference is the TDS',
  'unknown-reference': 'No order has its references',
  ambiguous: 'Several orders or lines of one amount and day',
  'date-outside-tolerance': 'Booked too far from the settlement',
  timing: 'Not due yet',
  reversed: 'Paid, then taken back by the bank',
  'status-conflict': 'Moved, though the provider says it failed or is open',
};

/** What became of transfers of which none succeeded, by what the chain says of them. */
const UNSUCCESSFUL: Readonly<Partial<Record<string, string>>> = {
  failed: 'The transfer failed on chain',
  dropped: 'The chain dropped the transfer',
};

/** A break as people call it. `missing-on-chain` is said of an order without a transfer, and beside one that did not succeed. */
export const breakWords = ({ code, chain }: { readonly code: BreakCode; readonly chain: string | null }): string =>
  code === 'missing-on-chain' && chain !== null
    ? (UNSUCCESSFUL[chain] ?? 'None of its transfers succeeded on chain')
    : BREAK_WORDS[code];
