import * as t from 'io-ts';
import type { AwaitedPart } from '../../projections/match/awaited-orders.ts';
import { BREAK_CODES } from '../../projections/match/break.ts';
import { DECISIONS, type MatchDecision } from '../../projections/match/decision.ts';
import { ItemIdText } from '../../projections/match/item-id.ts';
import type { MatchItem } from '../../projections/match/match-item.ts';
import { NodeNameText } from '../../projections/match/node.ts';
import { MATCH_RULES } from '../../projections/match/rule.ts';
import { BusinessDayText } from '../domain/business-day.ts';
import { DecimalText } from '../domain/decimal.ts';
import { FLOWS } from '../domain/flow.ts';
import { oneOf } from '../domain/guarded.ts';
import { InstantText } from '../domain/instant.ts';
import { parseNatively } from '../domain/parse-json.ts';
import { isStatementLine } from '../domain/statement-line.ts';

const orNull = <C extends t.Mixed>(codec: C): t.UnionC<[C, t.NullC]> => t.union([codec, t.null]);

/** The codec of a decision as it is kept. */
const DecisionData: t.Type<MatchDecision> = t.type({
  itemId: ItemIdText,
  decision: oneOf('decision', DECISIONS),
  with: t.readonlyArray(t.string),
  note: t.string,
  by: t.string,
  at: InstantText,
  group: t.readonlyArray(NodeNameText),
  apart: t.readonlyArray(NodeNameText),
  facts: orNull(t.string),
});

/** States of items that stand in rows. */
export const STORED_STATES = [
  'matched',
  'unmatched-line',
  'unmatched-transfer',
  'ambiguous',
  'break',
  'explained',
  'awaited',
] as const;

const side = orNull(t.string);

const AwaitedPartData: { readonly is: t.Is<AwaitedPart> } & t.Mixed = t.intersection([
  t.type({
    due: oneOf('due', ['payout', 'deemed', 'onramp'] as const),
    currency: t.string,
    chainId: DecimalText,
    amount: DecimalText,
  }),
  t.partial({ day: BusinessDayText }),
]);

/** The codec of an item as it is kept. */
const ItemData: { readonly is: t.Is<MatchItem> } = t.intersection([
  t.type({
    itemId: ItemIdText,
    members: t.readonlyArray(NodeNameText),
    flow: orNull(oneOf('flow', FLOWS)),
    currency: orNull(t.string),
    accounts: t.readonlyArray(t.string),
    day: BusinessDayText,
    fiat: DecimalText,
    state: oneOf('state', STORED_STATES),
    awaited: orNull(t.intersection([AwaitedPartData, t.partial({ also: t.readonlyArray(AwaitedPartData) })])),
    rule: orNull(oneOf('rule', MATCH_RULES)),
    breaks: t.readonlyArray(
      t.type({ code: oneOf('break', BREAK_CODES), field: t.string, order: side, bank: side, chain: side }),
    ),
    decision: orNull(DecisionData),
  }),
  t.partial({ others: t.readonlyArray(t.type({ currency: t.string, fiat: DecimalText })) }),
]);

const reading =
  <A>({ is }: { readonly is: t.Is<A> }, what: string) =>
  (text: string): A => {
    const value = parseNatively(text);
    if (is(value)) return value;
    throw new Error(`${what} of the read models is damaged; run "ramp-ledger replay"`);
  };

/** Each reads what was stored; damage throws, and `replay` mends it. */
export const readLine = reading({ is: isStatementLine }, 'a bank line');
export const readDecision = reading(DecisionData, 'a decision');
export const readItem = reading(ItemData, 'an item');
