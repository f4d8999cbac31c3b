import * as t from 'io-ts';
import { BREAK_CODES, type BreakCode } from '../../projections/match/break.ts';
import type { MatchItem } from '../../projections/match/match-item.ts';
import { MATCH_RULES, type MatchRule } from '../../projections/match/rule.ts';
import { oneOf } from '../domain/guarded.ts';
import { STORED_STATES } from './stored-match.ts';
import { readArray } from './stored-array.ts';

/** What items are listed by: those that have all of it in common stand in one list. */
export type MatchItemList = {
  readonly state: MatchItem['state'];
  readonly rule: MatchRule | null;
  /** Each once, in code-unit order. */
  readonly codes: readonly BreakCode[];
};

const Parts = t.tuple([
  oneOf('state', STORED_STATES),
  t.union([oneOf('rule', MATCH_RULES), t.null]),
  t.readonlyArray(oneOf('break', BREAK_CODES)),
]);

/** One text for items of one list, and no other has it. */
export const listKey = ({ state, rule, breaks }: Pick<MatchItem, 'state' | 'rule' | 'breaks'>): string =>
  JSON.stringify([state, rule, [...new Set(breaks.map(({ code }) => code))].toSorted()]);

/** Reads a key; null for anything else. */
export const readList = (key: string): MatchItemList | null => {
  const parts = readArray(key);
  if (!Parts.is(parts)) return null;
  const [state, rule, codes] = parts;
  return { state, rule, codes };
};
