import type { AgeClass } from '../../projections/match/ageing.ts';
import type { BreakCode } from '../../projections/match/break.ts';
import type { NodeFact } from '../../projections/match/decided-facts.ts';
import type { MatchDecision } from '../../projections/match/decision.ts';
import type { ItemId } from '../../projections/match/item-id.ts';
import { MATCH_STATES, type MatchItem, type MatchState } from '../../projections/match/match-item.ts';
import type { MatchOrder } from '../../projections/match/match-order.ts';
import type { NodeName } from '../../projections/match/node.ts';
import type { MatchRule } from '../../projections/match/rule.ts';
import type { BusinessDay } from '../domain/business-day.ts';
import type { Decimal } from '../domain/decimal.ts';
import type { Flow } from '../domain/flow.ts';
import type { Position } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';
import type { StatementLine } from '../domain/statement-line.ts';
import type { Transfer } from '../domain/transfer.ts';
import type { LineSearch } from './line-search.ts';

/** Which items are asked for; null: all. Days are what an item's age counts from, both inclusive. */
export type MatchFilter = {
  readonly from: BusinessDay | null;
  readonly to: BusinessDay | null;
  /** In upper case. */
  readonly currency: string | null;
  readonly flow: Flow | null;
  readonly account: string | null;
};

/** What decides of awaited orders, and of ages. */
export type MatchDay = { readonly today: BusinessDay; readonly dueDays: number };

export type MatchSummaryQuestion = {
  readonly filter: MatchFilter;
  readonly day: MatchDay;
  /** Only what somebody has to look at: all that is matched, most of it mostly, is then not even read. Left out: every item. */
  readonly onlyOpen?: true;
};

/** Items of one flow, currency and state, counted. */
export type MatchSum = {
  readonly flow: Flow | null;
  readonly currency: string | null;
  readonly state: MatchState;
  readonly items: number;
  /**
   * As many of them have this currency as their first one: over rows of all currencies, each item is counted once, where `items`
   * count it in each of its currencies.
   */
  readonly itemsOnce: number;
  readonly fiat: Decimal;
  readonly ageing: Readonly<Record<AgeClass, number>>;
};

/** How many lines are still brought into the match, and the position of the first import that they are of. */
export type MatchDue = { readonly position: Position; readonly lines: number };

export type MatchSummary = {
  /** The last event that it includes; null before the first. */
  readonly asOf: { readonly position: Position; readonly at: Instant } | null;
  /** Whether any bank statement was imported. */
  readonly hasStatements: boolean;
  /** What large files have brought that is in no item yet; null: nothing. */
  readonly due: MatchDue | null;
  /** By flow, currency and state, in this order. */
  readonly rows: readonly MatchSum[];
};

/**
 * Where an item stands in lists, the oldest first. `key`: its id; of an order that nothing was found for, that of the order,
 * which stays when the read models are built anew.
 */
export type MatchPlace = { readonly day: BusinessDay; readonly list: 'items' | 'awaited'; readonly key: string };

/** States that may be asked for by name; `unmatched`: bank lines and payouts that nothing was found for, or several. */
export const ASKED_STATES = [...MATCH_STATES, 'unmatched'] as const;

/** `open`: in any state in which somebody has to look. */
export type AskedState = (typeof ASKED_STATES)[number] | 'open';

/** Which items are asked for, on whatever day. */
export type MatchChoice = {
  readonly filter: MatchFilter;
  readonly state: AskedState | null;
  readonly rule: MatchRule | null;
  readonly code: BreakCode | null;
  readonly orderId: string | null;
  readonly lineId: string | null;
  /** Items with a line that this finds; whoever asks by the order or the line leaves it out. */
  readonly search?: LineSearch;
};

export type MatchItemsQuestion = MatchChoice & {
  readonly day: MatchDay;
  readonly after: MatchPlace | null;
  readonly limit: number;
  /**
   * So many orders, lines and transfers of an item come with it, of each, what is asked for by name first; left out: all
   * of them. `members` names all.
   */
  readonly mostOfEach?: number;
  /** So many of each are left out before, counted from what is asked for by name. Left out: none. */
  readonly skipOfEach?: number;
};

/** An item as of a day, with what is in it. */
export type ShownItem = Omit<MatchItem, 'state' | 'awaited'> & {
  readonly state: MatchState;
  readonly ageDays: number;
  readonly orders: readonly MatchOrder[];
  readonly lines: readonly StatementLine[];
  readonly transfers: readonly Transfer[];
};

/** `next`: behind which the list goes on; null at its end. A page of large items ends early, however many it may have. */
export type MatchPage = { readonly data: readonly ShownItem[]; readonly next: MatchPlace | null };

/** What a decision must know before it is made. */
export type MatchDecidable = {
  readonly item: Pick<MatchItem, 'itemId' | 'members' | 'decision'> | null;
  /** The decision in force on an item of this id, whether or not there is one now. */
  readonly decision: MatchDecision | null;
  /** What each of some ids names, with all that comes along with it; null for what is nothing. */
  readonly named: readonly ({ readonly name: NodeName; readonly companions: readonly NodeName[] } | null)[];
  /** What the orders and transfers among all these say. */
  readonly facts: readonly NodeFact[];
};

export type MatchDecidableQuestion = { readonly itemId: ItemId; readonly ids: readonly string[] };
