import { isUnmatched, OPEN_STATES, type MatchItem, type MatchState } from '../../projections/match/match-item.ts';
import type { Flow } from '../domain/flow.ts';
import type { AskedState, MatchFilter } from './match-questions.ts';

/** Whether an item has the flow, currency and account that are asked for. */
export const hasAll = (
  { flow, currency, accounts, others }: Pick<MatchItem, 'flow' | 'currency' | 'accounts' | 'others'>,
  filter: MatchFilter,
): boolean =>
  (filter.flow === null || flow === filter.flow) &&
  (filter.currency === null ||
    currency === filter.currency ||
    others?.some((other) => other.currency === filter.currency) === true) &&
  (filter.account === null || accounts.includes(filter.account));

/** Whether an item's day is one of those that are asked for. */
export const isWithin = (day: string, { from, to }: MatchFilter): boolean =>
  (from === null || day >= from) && (to === null || day <= to);

/** Whether a state of an item of a flow is what is asked for; null: whatever it is. */
export const isInState = (state: MatchState, flow: Flow | null, asked: AskedState | null): boolean => {
  if (asked === 'open') return OPEN_STATES.has(state);
  return asked === null || (asked === 'unmatched' ? isUnmatched(state, flow) : state === asked);
};
