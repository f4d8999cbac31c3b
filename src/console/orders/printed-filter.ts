import { ANOMALY_WORDS } from '../../queries/words/anomaly-words.ts';
import { daysWords } from '../../queries/words/days-words.ts';
import { FLOW_WORDS } from '../../queries/words/flow-words.ts';
import { PHASE_WORDS } from '../../queries/words/status-words.ts';
import type { FilledTexts } from '../filled-parameters.ts';

const FLOWS: ReadonlyMap<string, string> = new Map(Object.entries(FLOW_WORDS));
const PHASES: ReadonlyMap<string, string> = new Map(Object.entries(PHASE_WORDS));
const ANOMALIES: ReadonlyMap<string, string> = new Map(
  Object.entries(ANOMALY_WORDS).map(([code, { name }]) => [code, name]),
);

const PLAIN = [
  ['status', 'status'],
  ['currency', 'currency'],
  ['token', 'token'],
  ['chainId', 'chain'],
] as const;

/**
 * Which orders a list is of, in one line for paper, where no form stands above it:
 * `Off-ramp orders, settled 21 November 2026, UTC, phase Settled, currency INR`.
 *
 * @param texts parameters of the page, which were read without a fault
 */
export const printedFilter = (texts: FilledTexts, timeZone: string): string => {
  const flow = texts.get('flow');
  const [phase, anomaly] = [texts.get('phase'), texts.get('anomaly')];
  const days = daysWords({ from: texts.get('from') ?? null, to: texts.get('to') ?? null });
  return [
    flow === undefined ? 'Orders' : `${FLOWS.get(flow) ?? flow} orders`,
    `${texts.get('basis') ?? 'created'} ${days}`,
    timeZone,
    ...(phase === undefined ? [] : [`phase ${PHASES.get(phase) ?? phase}`]),
    ...PLAIN.flatMap(([name, word]) => {
      const text = texts.get(name);
      return text === undefined ? [] : [`${word} ${text}`];
    }),
    ...(anomaly === undefined ? [] : [`anomaly ${ANOMALIES.get(anomaly) ?? anomaly}`]),
  ].join(', ');
};
