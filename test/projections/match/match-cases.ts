import { expect } from 'chai';
import type { MatchItem } from '../../../projections/match/match-item.ts';
import type { MatchSources } from '../../../projections/match/memory-index.ts';
import type { MatchSettings } from '../../../src/domain/match-settings.ts';
import { decimal, itemsOf } from './match-scene.ts';

/** What an item is, in one line: how many of each, its state, its rule, its breaks. */
const shown = ({ members, state, rule, breaks }: MatchItem): string => {
  const count = (kind: string): number => members.filter((name) => name.startsWith(kind)).length;
  const codes = breaks.map(({ code }) => code).join(' ');
  return `${count('order')}-${count('line')}-${count('transfer')} ${state} ${rule ?? '-'} ${codes}`.trim();
};

/** What is to be matched, and the items that it makes, in one line each. */
export type Case = readonly [
  what: string,
  sources: Partial<MatchSources>,
  items: readonly string[],
  settings?: Partial<MatchSettings>,
];

export const fiat = (amount: string) => ({ fiat: decimal(amount) });
export const amount = (text: string) => ({ amount: decimal(text) });

/** A test of each case. */
export const holdCases = (cases: readonly Case[]): void => {
  for (const [what, sources, items, settings] of cases)
    it(what, () => {
      expect(itemsOf(sources, settings).map(shown).toSorted()).to.deep.equal(items.toSorted());
    });
};
