import type { BusinessDay } from '../../domain/business-day.ts';
import { EVENT_TYPES } from '../../domain/event-type.ts';
import { dayBefore } from '../business-days.ts';
import { choiceField, dayField, textField, type Choice } from '../fields.ts';
import type { FilledTexts } from '../filled-parameters.ts';
import { html, type Html } from '../html.ts';
import { withParameters } from '../links.ts';

const PATH = '/console/audit';

const TYPE_CHOICES: readonly Choice[] = [
  { value: '', name: 'Any' },
  ...EVENT_TYPES.map((value) => ({ value, name: value })),
];

const VERIFY_CHOICES: readonly Choice[] = [
  { value: '', name: 'As received' },
  { value: 'true', name: 'Verify again now' },
];

const spans = (texts: FilledTexts, today: BusinessDay): Html => {
  const chosen = (from: string | null, to: string | null): boolean =>
    (texts.get('from') ?? null) === from && (texts.get('to') ?? null) === to;
  const span = (name: string, from: string | null, to: string | null): Html => {
    const href = withParameters(PATH, { ...Object.fromEntries(texts), from, to, cursor: null });
    return chosen(from, to)
      ? html`<a href="${href}" aria-current="true">${name}</a>`
      : html`<a href="${href}">${name}</a>`;
  };
  const yesterday = dayBefore(today, 1);
  return html`
    <nav class="tabs" aria-label="When">
      ${span('Today', today, null)} ${span('Yesterday', yesterday, yesterday)}
      ${span('Last seven days', dayBefore(today, 6), null)} ${span('Everything', null, null)}
    </nav>
  `;
};

/** The filters of the trail. They stand in the URL: none of them is personal data. */
export const auditFilterForm = (texts: FilledTexts, today: BusinessDay): Html => {
  const value = (name: string): string => texts.get(name) ?? '';
  return html`
    ${spans(texts, today)}
    <form class="filters" method="get" action="${PATH}">
      ${dayField('Received from', 'from', value('from'))} ${dayField('To', 'to', value('to'))}
      ${choiceField('Type', 'type', TYPE_CHOICES, value('type'))}
      ${textField('Search exactly', 'q', value('q'), 'Order, event, UTR, digest, request id', 'wide')}
      ${choiceField('Signatures', 'verify', VERIFY_CHOICES, value('verify') === 'false' ? '' : value('verify'))}
      <div class="actions">
        <button type="submit">Show</button>
        <a class="quiet" href="${PATH}">Clear</a>
      </div>
    </form>
  `;
};
