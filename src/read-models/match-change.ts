import type { MatchDecision } from '../../projections/match/decision.ts';
import type { ItemId } from '../../projections/match/item-id.ts';
import type { BusinessDay } from '../domain/business-day.ts';
import type { StatementId, StatementLine } from '../domain/statement-line.ts';
import type { Transfer } from '../domain/transfer.ts';

/** What an event of the ledger itself says to the match. */
export type MatchChange =
  | { readonly _tag: 'Line'; readonly line: StatementLine }
  /** As it was seen last. */
  | { readonly _tag: 'Transfer'; readonly transfer: Transfer }
  /** A statement of an account in this currency speaks of these days. */
  | {
      readonly _tag: 'Covered';
      readonly statementId: StatementId;
      readonly currency: string;
      readonly from: BusinessDay;
      readonly to: BusinessDay;
    }
  | { readonly _tag: 'Decided'; readonly decision: MatchDecision }
  | { readonly _tag: 'TakenBack'; readonly itemId: ItemId };
