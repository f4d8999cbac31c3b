import type { StatementLine } from '../../domain/statement-line.ts';
import { placedReferences } from '../../statements/mt940/mt940-entry.ts';
import { hasIbanOrPan, hasPhoneOrAadhaar } from '../masking/personal-numbers.ts';
import type { PersonalData } from '../masking/personal-data.ts';
import { shownText } from '../masking/shown-text.ts';

const MASK = '***';

type Line = Pick<StatementLine, 'references' | 'ownReferences' | 'bookedOn' | 'raw'>;

/** References of a line that are told; the number of an entry is made by the bank, and is nobody's phone. */
const toldReferences = ({ references, ownReferences = [], bookedOn, raw }: Line): ReadonlySet<string> => {
  const own = new Set(ownReferences);
  const placed = new Set(placedReferences(raw) ?? references);
  return new Set(
    references.filter(
      (reference) =>
        placed.has(reference) &&
        !hasIbanOrPan(reference) &&
        (own.has(reference) || !hasPhoneOrAadhaar(reference, bookedOn)),
    ),
  );
};

/**
 * References of a line as a caller may see them (docs/spec/statements.md, Reading): without `pii:read` those that were words
 * of the bank's text are masked, as the text is, and so are those that hold the number of a person. What an order is matched by is told.
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
