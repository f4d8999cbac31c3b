import type { StatementLine } from '../../domain/statement-line.ts';
import { toldReferences } from '../../statements/told-references.ts';
import type { PersonalData } from '../masking/personal-data.ts';
import { shownText } from '../masking/shown-text.ts';

const MASK = '***';

/**
 * References of a line as a caller may see them (docs/spec/statements.md, Reading): without `pii:read` those that are not told
 * are masked, as the text is. What an order is matched by is told.
 *
 * @param matched references of the orders that the line is matched with; they are shown with these
 */
export const shownReferences = (
  line: Pick<StatementLine, 'references' | 'text' | 'raw'>,
  personal: PersonalData,
  matched: ReadonlySet<string>,
): ((reference: string) => string) => {
  if (personal === 'shown') return (reference) => reference;
  const told = toldReferences(line);
  return (reference) => (matched.has(reference) || told.has(reference) ? shownText(reference, personal) : MASK);
};
