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
