import { upperAscii } from '../../domain/letter-case.ts';
import { BREAK_CODES } from '../../../projections/match/break.ts';
import { MATCH_RULES } from '../../../projections/match/rule.ts';
import { FLOWS } from '../../domain/flow.ts';
import { ASKED_STATES, type MatchFilter } from '../../read-models/match-questions.ts';
import {
  anyText,
  businessDay,
  cursorParameter,
  lastBusinessDay,
  limitParameter,
  oneOf,
  parameter,
  positionText,
  wholeNumber,
  type Query,
} from '../parameters/parameters.ts';
import { publicText } from '../parameters/public-text.ts';

/** The parameters that choose items of the match (docs/spec/match.md, Summary). */
export const MATCH_FILTER_PARAMETERS = {
  from: parameter('The first day, inclusive: of the settlement, or without an order of the booking.', businessDay),
  to: parameter('The last day, inclusive.', businessDay),
  currency: parameter('The fiat currency, in any letter case.', publicText),
  flow: parameter('Items of orders of this flow.', oneOf(FLOWS)),
  account: parameter('Items with a line of this account.', anyText),
} as const;

/** The parameters of the summary: with days in the wrong order it would say that nothing is wrong. */
export const RECONCILIATION_PARAMETERS = {
  ...MATCH_FILTER_PARAMETERS,
  to: parameter('The last day, inclusive.', lastBusinessDay),
  position: positionText,
} as const;

/** The parameters that choose items one by one. */
export const MATCH_ITEM_PARAMETERS = {
  ...MATCH_FILTER_PARAMETERS,
  state: parameter(
    'Items in this state; `unmatched`: bank lines and payouts that nothing was found for, or several (what a month that is to be closed counts).',
    oneOf(ASKED_STATES),
  ),
  rule: parameter('Items that this rule joined.', oneOf(MATCH_RULES)),
  break: parameter('Items with this break.', oneOf(BREAK_CODES)),
  orderId: parameter('The item with this order.', anyText),
  lineId: parameter('The item with this bank line.', anyText),
} as const;

/** The parameters of the list of items. */
export const MATCH_LIST_PARAMETERS = {
  ...MATCH_ITEM_PARAMETERS,
  limit: limitParameter,
  skip: parameter(
    'Leave out so many orders, lines and transfers of each item. The first 500 of each are answered, what `orderId` or `lineId` names among them; `counts` says how many there are.',
    wholeNumber,
  ),
  cursor: cursorParameter,
  position: positionText,
} as const;

export const matchFilter = ({
  from,
  to,
  currency,
  flow,
  account,
}: Query<typeof MATCH_FILTER_PARAMETERS>): MatchFilter => ({
  from,
  to,
  currency: currency === null ? null : upperAscii(currency),
  flow,
  account,
});
