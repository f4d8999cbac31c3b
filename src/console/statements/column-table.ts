import { COLUMN_USES, type ColumnUse } from '../../statements/table/guess-profile.ts';
import { choiceField, textField, type Choice } from '../fields.ts';
import { dataTable } from '../data-table.ts';
import { html, type Html } from '../html.ts';
import { headerBehind, useField } from './column-uses.ts';
import type { PreviewedTable } from './previewed.ts';

const USE_WORDS: Readonly<Record<ColumnUse, string>> = {
  date: 'Booking day',
  valueDate: 'Value date',
  amount: 'Amount, minus is out',
  direction: 'In or out, by a word',
  credit: 'Money in',
  debit: 'Money out',
  currency: 'Currency',
  account: 'Account',
  reference: 'Reference',
  text: 'Text',
};

const CHOICES: readonly Choice[] = [
  { value: '', name: 'Not used' },
  ...COLUMN_USES.map((value) => ({ value, name: USE_WORDS[value] })),
];

const DECIMALS: readonly Choice[] = [
  { value: '.', name: '1,234.56' },
  { value: ',', name: '1.234,56' },
];

const SHOWN_VALUES = 3;

/** What each column is read as, with its first values beside. */
export const columnTable = ({ table, chosen }: PreviewedTable): Html => {
  const header = headerBehind(table, chosen.skipRows);
  const at = table.rows.findIndex(({ line }) => line > chosen.skipRows);
  const values = table.rows.slice(at + 1, at + 1 + SHOWN_VALUES);
  return html`
    <div class="fields">
      ${textField('Lines before the header', 'skipRows', String(chosen.skipRows))}
      ${textField('Days are written', 'dateFormat', chosen.dateFormat, 'dd/mm/yyyy')}
      ${choiceField('Figures are written', 'decimal', DECIMALS, chosen.decimal)}
    </div>
    ${dataTable(
      { label: 'Columns of the file', layout: 'columns' },
      ['Column', 'First lines', 'Read as'],
      header.map((name, column) =>
        name === ''
          ? html``
          : html`<tr>
              <th scope="row">${name}</th>
              <td>${values.map(({ cells }) => html`<span class="value">${cells[column] ?? ''}</span>`)}</td>
              <td>
                <select name="${useField(column)}" aria-label="Read ${name} as">
                  ${CHOICES.map(({ value, name: words }) =>
                    value === (chosen.uses[column] ?? '')
                      ? html`<option value="${value}" selected>${words}</option>`
                      : html`<option value="${value}">${words}</option>`,
                  )}
                </select>
              </td>
            </tr>`,
      ),
    )}
  `;
};
