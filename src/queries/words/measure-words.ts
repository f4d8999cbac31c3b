import type { Flow } from '../../domain/flow.ts';
import { PHASES } from '../../domain/status.ts';
import { PHASE_WORDS, statusWords } from './status-words.ts';

const NAMES: ReadonlyMap<string, string> = new Map([
  ['orders', 'Orders'],
  ['fiat.asked', 'Order value'],
  ...PHASES.map((phase) => [`fiat.${phase}`, PHASE_WORDS[phase]] as const),
  ['commission', 'Commission'],
  ['tds', 'TDS'],
  ['anomalies', 'Orders with anomalies'],
]);

const STATUS = 'byStatus.';
const TOKEN = /^tokens\.(.*)@(\d+)\.(amount|baseUnits)$/su;

/** What a measure of a report is called (docs/spec/http.md, Periods); what nobody foresaw keeps its name. */
export const measureWords = (flow: Flow, name: string): string => {
  if (name.startsWith(STATUS)) {
    const status = name.slice(STATUS.length);
    return `Orders: ${statusWords(flow, status)} (${status})`;
  }
  const [, address, chain, part] = TOKEN.exec(name) ?? [];
  if (address === undefined || chain === undefined) return NAMES.get(name) ?? name;
  return `${part === 'amount' ? 'Tokens' : 'Base units'} of ${address} on chain ${chain}`;
};

const RANKS: readonly string[] = [...NAMES.keys()];

/** Orders and money first, then statuses, then tokens. */
const rankOf = (name: string): number => {
  const known = RANKS.indexOf(name);
  if (known !== -1) return known;
  return name.startsWith(STATUS) ? RANKS.length : RANKS.length + 1;
};

/** Measures in the order in which one reads them. */
export const inReadingOrder = <A>(measures: ReadonlyMap<string, A>): readonly (readonly [string, A])[] =>
  [...measures].toSorted(([a], [b]) => rankOf(a) - rankOf(b));

/** Whether a measure is an amount of money. */
export const isMoney = (name: string): boolean => name.startsWith('fiat.') || name === 'commission' || name === 'tds';
