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

/** How the entry of a line begins as it is kept. */
const BEGINS_ENTRY = ':61:';

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
const namedByEntry = (text: string): readonly Named[] => {
  const [customer = '', ...bank] = text.split('//');
  return [namesPayment(customer.replace(/[A-Z]REF\+$/, '')), namesEntry(bank.join('//'))];
};

/** The longest reference of a SEPA payment. */
const LONGEST_REFERENCE = 35;
/** The longest that stands in one piece of a purpose, 27 characters with `EREF+`: a longer one has the next piece with it. */
const LONGEST_IN_A_PIECE = 22;
/** A word between slashes that this reader does not know, and what it names behind it. */
const FURTHER_WORD = /\/[A-Z]{2,5}\//;

/**
 * Whether what stands behind the word for a reference is one alone: where a bank fills a piece to its width, or has words of its
 * own (`/UDTR/`, `/PHON/`), what follows stands in it too, names above all.
 */
const isAlone = (text: string): boolean =>
  text.length <= LONGEST_REFERENCE &&
  !FURTHER_WORD.test(text) &&
  !(text.length > LONGEST_IN_A_PIECE && text.includes(' '));

/**
 * Those references of an entry that stand where a bank writes references: all others are words of its free text, which may
 * be anything of anybody.
 *
 * @param raw the entry as it is kept with its line
 * @returns null where it is no entry of MT940
 */
export const placedReferences = (raw: string): readonly string[] | null => {
  if (!raw.startsWith(BEGINS_ENTRY)) return null;
  const [entry = '', ...details] = raw.slice(BEGINS_ENTRY.length).split('\n:86:');
  const first = (entry.split('\n', 1)[0] ?? '').trim();
  const whole = ENTRY.exec(first)?.[0] ?? first;
  const said = details.flatMap((text) => mt940Details(text.split('\n')).references.filter(isAlone));
  return lineReferences([...namedByEntry(first.slice(whole.length)), ...said.map(namesPayment)]).references;
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
  const beside = joinedText(supplement);
  return {
    bookedOn,
    valueOn,
    amount,
    ...meaning,
    ...lineReferences([
      ...namedByEntry(entry.slice(whole.length)),
      ...said.flatMap(({ references, words }) => [...references, ...words]).map(namesPayment),
      namesPayment(isWord(beside) ? beside : null),
    ]),
    text: joinedText([...said.map(({ text }) => text), beside]),
    raw: [field, ...details].map(({ tag, lines }) => `:${tag}:${lines.join('\n')}`).join('\n'),
  };
};
