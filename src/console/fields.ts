import { parseBusinessDay } from '../domain/business-day.ts';
import { html, type Html } from './html.ts';

/** What can be chosen in a field, and what it is called; the first stands for nothing chosen. */
export type Choice = { readonly value: string; readonly name: string };

/** A field with a list to choose from; `chosen` may be a value that is not on it. */
export const choiceField = (label: string, name: string, choices: readonly Choice[], chosen: string): Html => {
  const known = choices.some(({ value }) => value === chosen) ? choices : [...choices, { value: chosen, name: chosen }];
  return html`<label
    >${label}<select name="${name}">
      ${known.map(({ value, name: text }) =>
        value === chosen
          ? html`<option value="${value}" selected>${text}</option>`
          : html`<option value="${value}">${text}</option>`,
      )}
    </select></label
  >`;
};

export const textField = (label: string, name: string, value: string, example = '', width = ''): Html =>
  html`<label class="${width}"
    >${label}<input
      name="${name}"
      value="${value}"
      placeholder="${example}"
      autocomplete="off"
      spellcheck="false"
      maxlength="200"
  /></label>`;

const typedField = (label: string, name: string, value: string, example: string, suggested: readonly Choice[]): Html =>
  html`<label
      >${label}<input
        name="${name}"
        value="${value}"
        placeholder="${example}"
        list="offered-${name}"
        autocomplete="off"
        spellcheck="false"
        maxlength="200" /></label
    ><datalist id="offered-${name}">
      ${suggested.map((one) => html`<option value="${one.value}">${one.name}</option>`)}
    </datalist>`;

/** So many are looked through in a list at most; of more, some are offered while one types. */
const MOST_LISTED = 60;

/** A choice that is called what it is. */
export const itself = (value: string): Choice => ({ value, name: value });

/** A text as it stands in a list, where another letter case means the same. */
const asListed = (value: string, choices: readonly Choice[]): string =>
  choices.find((choice) => choice.value.toLowerCase() === value.toLowerCase())?.value ?? value;

/** A field for one of the texts that there are: chosen from a list, or typed where there are none or too many. */
export const offeredField = (
  label: string,
  name: string,
  value: string,
  example: string,
  offered: readonly Choice[],
): Html =>
  offered.length > 0 && offered.length <= MOST_LISTED
    ? choiceField(label, name, [{ value: '', name: 'Any' }, ...offered], asListed(value, offered))
    : typedField(label, name, value, example, offered.slice(0, MOST_LISTED));

/** A field for a day. Something else that was typed into the URL stays as it is, to be mended. */
export const dayField = (label: string, name: string, value: string): Html =>
  value === '' || parseBusinessDay(value) !== null
    ? html`<label>${label}<input type="date" name="${name}" value="${value}" /></label>`
    : textField(label, name, value);
