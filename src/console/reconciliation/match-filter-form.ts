import { AGE_CLASSES } from '../../../projections/match/ageing.ts';
import { BREAK_CODES } from '../../../projections/match/break.ts';
import { ASKED_STATES } from '../../read-models/match-questions.ts';
import { choiceField, dayField, itself, offeredField, textField, type Choice } from '../fields.ts';
import type { FilledTexts } from '../filled-parameters.ts';
import { html, type Html } from '../html.ts';
import { ASKED_STATE_WORDS, BREAK_WORDS } from './match-words.ts';
import { ageWords } from './open-table.ts';
import { RECONCILIATION_PATH } from './reconciliation-path.ts';

const STATES: readonly Choice[] = [
  { value: '', name: 'All open' },
  ...ASKED_STATES.map((value) => ({ value, name: ASKED_STATE_WORDS[value] })),
];

const AGES: readonly Choice[] = [
  { value: '', name: 'Any' },
  ...AGE_CLASSES.map((value) => ({ value, name: ageWords(value) })),
];

const BREAKS: readonly Choice[] = [
  { value: '', name: 'Any' },
  ...BREAK_CODES.map((value) => ({ value, name: `${BREAK_WORDS[value]} (${value})` })),
];

/** What there is to choose from. */
type Offered = { readonly currencies: readonly string[]; readonly accounts: readonly string[] };

/** The filters of the match. They stand in the URL, so that what is shown can be kept and passed on. */
export const matchFilterForm = (texts: FilledTexts, { currencies, accounts }: Offered): Html => {
  const value = (name: string): string => texts.get(name) ?? '';
  return html`
    <form class="filters" method="get" action="${RECONCILIATION_PATH}">
      ${choiceField('State', 'state', STATES, value('state'))}
      ${offeredField('Currency', 'currency', value('currency'), 'INR', currencies.map(itself))}
      ${choiceField('Age', 'age', AGES, value('age'))} ${choiceField('What differs', 'break', BREAKS, value('break'))}
      ${dayField('From', 'from', value('from'))} ${dayField('To', 'to', value('to'))}
      ${offeredField('Account', 'account', value('account'), '', accounts.map(itself))}
      ${textField('Order id, UTR, hash, reference or line id', 'text', value('text'), '', 'wide')}
      <div class="actions">
        <button type="submit">Show</button>
        <a class="quiet" href="${RECONCILIATION_PATH}">Clear</a>
      </div>
    </form>
  `;
};
