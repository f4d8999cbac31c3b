import type { Flow } from '../../domain/flow.ts';
import { asOfField } from '../as-of-mark.ts';
import { choiceField, dayField } from '../fields.ts';
import type { FilledTexts } from '../filled-parameters.ts';
import { html, type Html } from '../html.ts';
import { withParameters } from '../links.ts';

/** How a report is grouped, as one chooses it. */
const GROUPS = [
  { value: '', name: 'Nothing' },
  { value: 'day', name: 'Day' },
  { value: 'month', name: 'Month' },
  { value: 'token', name: 'Token' },
  { value: 'token,chain', name: 'Token and chain' },
  { value: 'day,token', name: 'Day and token' },
  { value: 'month,token', name: 'Month and token' },
  { value: 'month,token,chain', name: 'Month, token and chain' },
] as const;

const tab = (flow: Flow, name: string, current: Flow, texts: FilledTexts): Html => {
  const href = withParameters(`/console/reports/${flow}`, Object.fromEntries(texts));
  return flow === current
    ? html`<a href="${href}" aria-current="page">${name}</a>`
    : html`<a href="${href}">${name}</a>`;
};

/** The choice between the flows, with the same question. */
export const flowTabs = (current: Flow, texts: FilledTexts): Html => html`
  <nav class="tabs" aria-label="Flow">
    ${tab('onramp', 'On-ramp', current, texts)} ${tab('offramp', 'Off-ramp', current, texts)}
  </nav>
`;

/** @param currencies those that the report has */
export const reportForm = (flow: Flow, texts: FilledTexts, currencies: readonly string[]): Html => {
  const value = (name: string): string => texts.get(name) ?? '';
  return html`
    <form class="filters" method="get" action="/console/reports/${flow}">
      ${dayField('From', 'from', value('from'))} ${dayField('To', 'to', value('to'))}
      ${choiceField(
        'By day of',
        'basis',
        [
          { value: '', name: 'Creation' },
          { value: 'settled', name: 'Settlement' },
        ],
        value('basis') === 'created' ? '' : value('basis'),
      )}
      ${choiceField('Grouped by', 'groupBy', GROUPS, value('groupBy'))}
      ${choiceField(
        'Currency',
        'currency',
        [{ value: '', name: 'All' }, ...currencies.map((code) => ({ value: code, name: code }))],
        value('currency'),
      )}
      ${asOfField(texts)}
      <div class="actions">
        <button type="submit">Show</button><a class="quiet" href="/console/reports/${flow}">Clear</a>
      </div>
    </form>
  `;
};
