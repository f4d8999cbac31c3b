import type { AtWraps } from '../../src/domain/at-wraps.ts';
import type { OrderId } from '../../src/domain/ids.ts';
import type { LineId, StatementLine } from '../../src/domain/statement-line.ts';
import type { Transfer, TransferId } from '../../src/domain/transfer.ts';
import type { MatchDecision } from './decision.ts';
import type { MatchOrder } from './match-order.ts';
import type { NodeName } from './node.ts';

/** A bank line as the match sees it. */
export type MatchLine = Pick<
  StatementLine,
  | 'lineId'
  | 'account'
  | 'currency'
  | 'bookedOn'
  | 'amount'
  | 'direction'
  | 'reversal'
  | 'references'
  | 'ownReferences'
  | 'text'
> & {
  /** None where it was not wrapped. */
  readonly atWraps?: AtWraps;
};

/** A transfer as the match sees it. */
export type MatchTransfer = Pick<
  Transfer,
  'transferId' | 'chainId' | 'txnHash' | 'status' | 'token' | 'to' | 'baseUnits' | 'amount' | 'observedAt'
>;

/**
 * What the match is made of, found by its keys, so that nobody looks at all orders or lines. What a key finds may be more
 * than what has it: the match compares. Nothing that has it may be missing, and nothing is in an answer twice.
 */
export type MatchIndex = {
  readonly order: (id: OrderId) => MatchOrder | null;
  readonly line: (id: LineId) => MatchLine | null;
  readonly transfer: (id: TransferId) => MatchTransfer | null;
  /** Orders with a payout of this utr. */
  readonly ordersWithUtr: (utr: string) => readonly MatchOrder[];
  /** Orders with a payout whose utr has this as its chief word. */
  readonly ordersWithChiefWord: (word: string) => readonly MatchOrder[];
  /** Orders of this id or transaction id. */
  readonly ordersNamed: (reference: string) => readonly MatchOrder[];
  /** Lines with this text as a reference. */
  readonly linesWithReference: (reference: string) => readonly MatchLine[];
  /** Lines with this word in their text or a reference. */
  readonly linesWithWord: (word: string) => readonly MatchLine[];
  /** By `hashKey`. */
  readonly ordersWithHash: (key: string) => readonly MatchOrder[];
  readonly transfersWithHash: (key: string) => readonly MatchTransfer[];
  /** By `orderDayKey` and `lineDayKey`. */
  readonly ordersOfDay: (key: string) => readonly MatchOrder[];
  readonly linesOfDay: (key: string) => readonly MatchLine[];
  /** Those in force that name a node. */
  readonly decisionsOn: (node: NodeName) => readonly MatchDecision[];
};
