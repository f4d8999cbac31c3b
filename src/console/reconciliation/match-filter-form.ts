import { AGE_CLASSES } from '../../../projections/match/ageing.ts';
import { BREAK_CODES } from '../../../projections/match/break.ts';
import { ASKED_STATES } from '../../read-models/match-questions.ts';
import type { ConsoleQuestion } from '../console-question.ts';
import { choiceField, dayField, itself, offeredField, textField, type Choice } from '../fields.ts';
import type { FilledTexts } from '../filled-parameters.ts';
import { tokenField } from '../frame.ts';
import { html, type Html } from '../html.ts';
import { ASKED_STATE_WORDS, BREAK_WORDS } from './match-words.ts';
import { ageWords } from './open-table.ts';
import { RECONCILIATION_PATH, RECONCILIATION_SEARCH_PATH } from './reconciliation-path.ts';

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
export type Offered = { readonly currencies: readonly string[]; readonly accounts: readonly string[] };

/** Before it is known what there is. */
export const NOTHING_OFFERED: Offered = { currencies: [], accounts: [] };

/**
 * The filters of the match. They are posted, since a text may be an e-mail address, which belongs in no URL, and an account is
 * somebody's; where there is neither, the page that comes has them in its URL, so that what is shown can be kept and passed on.
 */
export const matchFilterForm = (
  texts: FilledTexts,
  { currencies, accounts }: Offered,
  { session }: Pick<ConsoleQuestion, 'session'>,
): Html => {
  const value = (name: string): string => texts.get(name) ?? '';
  const named = texts.get('text') ?? texts.get('orderId') ?? value('lineId');
  return html`
    <form class="filters" method="post" action="${RECONCILIATION_SEARCH_PATH}">
      ${tokenField(session)} ${choiceField('State', 'state', STATES, value('state'))}
      ${offeredField('Currency', 'currency', value('currency'), 'INR', currencies.map(itself))}
      ${choiceField('Age', 'age', AGES, value('age'))} ${choiceField('What differs', 'break', BREAKS, value('break'))}
      ${dayField('From', 'from', value('from'))} ${dayField('To', 'to', value('to'))}
      ${offeredField('Account', 'account', value('account'), '', accounts.map(itself))}
      ${textField('Order id, UTR, hash, reference or line id', 'text', named, '', 'wide')}
      <div class="actions">
        <button type="submit">Show</button>
        <a class="quiet" href="${RECONCILIATION_PATH}">Clear</a>
      </div>
    </form>
  `;
};
