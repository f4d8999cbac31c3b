import { PHASES } from '../../domain/status.ts';
import { ANOMALY_FILTERS } from '../../read-models/order-filter.ts';
import { ANOMALY_WORDS } from '../../queries/words/anomaly-words.ts';
import { asOfField } from '../as-of-mark.ts';
import { choiceField, dayField, itself, offeredField, type Choice } from '../fields.ts';
import type { FilledTexts } from '../filled-parameters.ts';
import { html, type Html } from '../html.ts';
import { chainName } from '../../queries/words/chain-words.ts';
import { PHASE_WORDS } from '../../queries/words/status-words.ts';

const ANY: Choice = { value: '', name: 'Any' };

const FLOW_CHOICES: readonly Choice[] = [
  ANY,
  { value: 'onramp', name: 'On-ramp' },
  { value: 'offramp', name: 'Off-ramp' },
];

const PHASE_CHOICES: readonly Choice[] = [ANY, ...PHASES.map((value) => ({ value, name: PHASE_WORDS[value] }))];

const ANOMALY_CHOICES: readonly Choice[] = [
  { value: '', name: 'All orders' },
  ...ANOMALY_FILTERS.map((value) => {
    if (value === 'any') return { value, name: 'Any anomaly' };
    if (value === 'lasting') return { value, name: 'Any that reports count' };
    if (value === 'clock') return { value, name: 'Any that comes with time' };
    return { value, name: `${ANOMALY_WORDS[value].name} (${value})` };
  }),
];

const BASIS_CHOICES: readonly Choice[] = [
  { value: '', name: 'Created' },
  { value: 'settled', name: 'Settled' },
];

/** Statuses that some order has, as they are called, with their codes. */
const statusChoices = (statuses: Offered['statuses']): readonly Choice[] => [
  ANY,
  ...statuses.map(({ status, names }) => ({ value: status, name: `${names.join(' / ')} (${status})` })),
];

/** What there is to choose from in the ledger. */
export type Offered = {
  /** Each once, with what it is called in the flows that have it. */
  readonly statuses: readonly { readonly status: string; readonly names: readonly string[] }[];
  readonly currencies: readonly string[];
  readonly tokens: readonly string[];
  readonly chainIds: readonly string[];
};

export const NOTHING_OFFERED: Offered = { statuses: [], currencies: [], tokens: [], chainIds: [] };

/** A chain by its name, where it has one, with its id. */
const namedChain = (chainId: string): Choice => {
  const name = chainName(chainId);
  return { value: chainId, name: name === null ? chainId : `${name} (${chainId})` };
};

/**
 * The filters of the order list. They stand in the URL, so that what is shown can be kept and passed on. Statuses, currencies,
 * tokens and chains are chosen from those that orders have.
 */
export const orderFilterForm = (texts: FilledTexts, { statuses, currencies, tokens, chainIds }: Offered): Html => {
  const value = (name: string): string => texts.get(name) ?? '';
  return html`
    <form class="filters" method="get" action="/console/orders">
      ${choiceField('Flow', 'flow', FLOW_CHOICES, value('flow'))}
      ${choiceField('Phase', 'phase', PHASE_CHOICES, value('phase'))}
      ${choiceField('Status', 'status', statusChoices(statuses), value('status'))}
      ${offeredField('Currency', 'currency', value('currency'), 'INR', currencies.map(itself))}
      ${offeredField('Token', 'token', value('token'), 'USDT or 0x…', tokens.map(itself))}
      ${offeredField('Chain', 'chainId', value('chainId'), '137', chainIds.map(namedChain))}
      ${choiceField('By day of', 'basis', BASIS_CHOICES, value('basis') === 'created' ? '' : value('basis'))}
      ${dayField('From', 'from', value('from'))} ${dayField('To', 'to', value('to'))}
      ${choiceField('Anomaly', 'anomaly', ANOMALY_CHOICES, value('anomaly'))} ${asOfField(texts)}
      <div class="actions">
        <button type="submit">Show</button>
        <a class="quiet" href="/console/orders">Clear</a>
      </div>
    </form>
  `;
};
