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

/** A field for a text, with those that there are to choose from. */
export const offeredField = (
  label: string,
  name: string,
  value: string,
  example: string,
  offered: readonly string[],
): Html =>
  html`<label
      >${label}<input
        name="${name}"
        value="${value}"
        placeholder="${example}"
        list="offered-${name}"
        autocomplete="off"
        spellcheck="false"
        maxlength="200" /></label
    ><datalist id="offered-${name}">${offered.map((text) => html`<option value="${text}"></option>`)}</datalist>`;

/** A field for a day. Something else that was typed into the URL stays as it is, to be mended. */
export const dayField = (label: string, name: string, value: string): Html =>
  value === '' || parseBusinessDay(value) !== null
    ? html`<label>${label}<input type="date" name="${name}" value="${value}" /></label>`
    : textField(label, name, value);
