import type { BankLine, Direction } from '../../domain/statement-line.ts';
import { joinedText, lineReferences, namesEntry, namesPayment, type Named } from '../references.ts';
import { unreadable, type StatementUnreadable } from '../unreadable.ts';
import { mt940Details } from './mt940-details.ts';
import type { Mt940Field } from './mt940-fields.ts';
import { entryDay, mt940Amount, mt940Day } from './mt940-values.ts';

/** What field 61 says, and the lines of field 86 behind it. */
type Entry = Pick<
  BankLine,
  'bookedOn' | 'valueOn' | 'amount' | 'direction' | 'reversal' | 'references' | 'ownReferences' | 'text' | 'raw'
>;

/** Value date, entry date, mark, third letter of the currency, amount, type, references. */
const ENTRY =
  /^(\d{6})(\d{6}|\d{4})? ?(RC|RD|EC|ED|C|D) ?([A-Z])? ?(\d{0,20}(?:[.,]\d{0,6})?)(?![\d.,])([NSF][A-Z0-9]{3})?/;

/** What a mark did to the account: RC takes a credit back, RD a debit. */
const MARKS: ReadonlyMap<string, { readonly direction: Direction; readonly reversal: boolean }> = new Map([
  ['C', { direction: 'in', reversal: false }],
  ['D', { direction: 'out', reversal: false }],
  ['RC', { direction: 'out', reversal: true }],
  ['RD', { direction: 'in', reversal: true }],
]);

/** Whether a text is one word, such as a bank writes for a reference below field 61. Whose it is, the bank's or a customer's, nothing says. */
const isWord = (text: string): boolean => /^[A-Za-z\d][\w.-]{5,34}$/.test(text) && /\d/.test(text);

/** A booking that is expected only; it is not booked. */
const isExpected = (mark: string): boolean => mark === 'EC' || mark === 'ED';

/** What names the payment and the bank's entry behind the type of field 61: the customer's reference, and the bank's own. */
const namedBehindType = (text: string): readonly Named[] => {
  const [customer = '', ...bank] = text.split('//');
  return [namesPayment(customer.replace(/[A-Z]REF\+$/, '')), namesEntry(bank.join('//'))];
};

/** The same of the first line of a field 61, where it was an entry. */
export const namedByEntry = (first: string): readonly Named[] => {
  const entry = first.trim();
  return namedBehindType(entry.slice((ENTRY.exec(entry)?.[0] ?? entry).length));
};

/** What names a payment in the lines below it. */
export const namedBelowEntry = (supplement: readonly string[]): Named => {
  const beside = joinedText(supplement);
  return namesPayment(isWord(beside) ? beside : null);
};

/**
 * Reads an entry (docs/spec/statements.md, MT940).
 *
 * @param details the fields 86 behind it
 */
export const mt940Entry = (
  field: Mt940Field,
  details: readonly Mt940Field[],
): Entry | StatementUnreadable | 'pending' => {
  const [first = '', ...supplement] = field.lines;
  const wrong = (detail: string): StatementUnreadable => unreadable(field.line, ':61:', detail);
  const entry = first.trim();
  const match = ENTRY.exec(entry);
  if (match === null) return wrong(`"${first.slice(0, 40)}" is no entry`);
  const [whole, valueText = '', entryText, mark = '', , amountText = ''] = match;
  if (isExpected(mark)) return 'pending';
  const valueOn = mt940Day(valueText);
  if (valueOn === null) return wrong(`"${valueText}" is no date`);
  const bookedOn =
    entryText === undefined ? valueOn : entryText.length === 6 ? mt940Day(entryText) : entryDay(entryText, valueOn);
  if (bookedOn === null) return wrong(`"${entryText ?? ''}" is no date`);
  const amount = mt940Amount(amountText);
  if (amount === null) return wrong(`"${amountText}" is no amount`);
  const meaning = MARKS.get(mark);
  if (meaning === undefined) return wrong(`"${mark}" is no mark`);
  const said = details.map(({ lines }) => mt940Details(lines));
  return {
    bookedOn,
    valueOn,
    amount,
    ...meaning,
    ...lineReferences([
      ...namedBehindType(entry.slice(whole.length)),
      ...said.flatMap(({ references, words }) => [...references, ...words]).map(namesPayment),
      namedBelowEntry(supplement),
    ]),
    text: joinedText([...said.map(({ text }) => text), joinedText(supplement)]),
    raw: [field, ...details].map(({ tag, lines }) => `:${tag}:${lines.join('\n')}`).join('\n'),
  };
};
