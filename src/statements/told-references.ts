import { hasIbanOrPan } from '../domain/personal-numbers.ts';
import type { BankLine } from '../domain/statement-line.ts';
import { placedReferences } from './mt940/kept-entry.ts';

type Line = Pick<BankLine, 'references' | 'text' | 'raw'>;

/** A word such as a payment or an order is named by. */
const WORD = /^[\w.-]+$/;

const BETWEEN_WORDS = /[^\w.-]+/;

/** How an entry of XML or SGML begins as it is kept, where each reference has an element of its own. */
const BEGINS_ELEMENT = '<';

const timesIn = (text: string, word: string): number => text.split(BETWEEN_WORDS).filter((one) => one === word).length;

/**
 * Whether a word of a table's row stands in its text alone: a reference of a column of its own stands in the row once more than
 * in the text. A column may be reference and text, beside others of text, and a name may be one word.
 */
const isWordOfText = (word: string, { text, raw }: Line): boolean => {
  const inText = timesIn(text, word);
  return inText > 0 && timesIn(raw, word) <= inText;
};

/** Whether a reference of a table is all of a line's text, or a part of it that no column of its own has. */
const isOfText = (reference: string, line: Line, isOfTable: boolean): boolean => {
  const said = reference.replace(/\s+/g, ' ').trim();
  if (said === line.text) return true;
  if (!WORD.test(said)) return ` ${line.text} `.includes(` ${said} `);
  return isOfTable && isWordOfText(said, line);
};

/**
 * References of a line that are told to whoever may read it, by the line alone: none that were words of the bank's text, which
 * is personal, nor any with an IBAN or a PAN in it. Plain digits in a reference's own place are the number of a payment as often
 * as of a person, and finance reconciles by them.
 */
export const toldReferences = (line: Line): ReadonlySet<string> => {
  const { references, raw } = line;
  const ofEntry = placedReferences(raw);
  const isOfTable = ofEntry === null && !raw.startsWith(BEGINS_ELEMENT);
  const placed = new Set(ofEntry ?? references);
  const isTold = (one: string): boolean => placed.has(one) && !isOfText(one, line, isOfTable) && !hasIbanOrPan(one);
  return new Set(references.filter(isTold));
};
