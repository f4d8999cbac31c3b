import type { StatementLine } from '../../domain/statement-line.ts';
import { placedReferences } from '../../statements/mt940/mt940-entry.ts';
import { hasIbanOrPan } from '../masking/personal-numbers.ts';
import type { PersonalData } from '../masking/personal-data.ts';
import { shownText } from '../masking/shown-text.ts';

const MASK = '***';

type Line = Pick<StatementLine, 'references' | 'text' | 'raw'>;

/** A word such as a payment or an order is named by. */
const WORD = /^[\w.-]+$/;

/**
 * Whether a reference is all of a line's text, or more than a word of it: a column of a table may be both reference and text, and
 * then it is text.
 */
const isOfText = (reference: string, text: string): boolean => {
  const said = reference.replace(/\s+/g, ' ').trim();
  return said === text || (!WORD.test(said) && ` ${text} `.includes(` ${said} `));
};

/**
 * References of a line that are told. Plain digits in a reference's own place are the number of a payment as often as of a
 * person, and finance reconciles by them.
 */
const toldReferences = ({ references, text, raw }: Line): ReadonlySet<string> => {
  const placed = new Set(placedReferences(raw) ?? references);
  const isTold = (one: string): boolean => placed.has(one) && !isOfText(one, text) && !hasIbanOrPan(one);
  return new Set(references.filter(isTold));
};

/**
 * References of a line as a caller may see them (docs/spec/statements.md, Reading): without `pii:read` those that were words
 * of the bank's text are masked, as the text is, and so are those that hold an IBAN or a PAN. What an order is matched by is told.
 *
 * @param matched references of the orders that the line is matched with; they are shown with these
 */
export const shownReferences = (
  line: Line,
  personal: PersonalData,
  matched: ReadonlySet<string>,
): ((reference: string) => string) => {
  if (personal === 'shown') return (reference) => reference;
  const told = toldReferences(line);
  return (reference) => (matched.has(reference) || told.has(reference) ? shownText(reference, personal) : MASK);
};
