import { beginningOf } from '../domain/beginning-of.ts';
import type { BankLine } from '../domain/statement-line.ts';

/**
 * How long the parts of a line may be, in UTF-16 units: together they stay an event of less than 1 MiB, which every store
 * takes, even where each unit is written as an escape of six bytes. The file has all of it.
 */
const LONGEST_RAW = 32_768;
const LONGEST_TEXT = 65_536;
const LONGEST_REFERENCES = 65_536;
const MOST_REFERENCES = 1_000;
/** They are among the references, and come on top of them. A reference that is no longer noted here names a payment: the line is left open. */
const LONGEST_OWN_REFERENCES = 8_192;

const firstReferences = (references: readonly string[], longest: number): readonly string[] => {
  let length = 0;
  return references.slice(0, MOST_REFERENCES).filter((reference) => {
    const fits = length + reference.length <= longest;
    if (fits) length += reference.length;
    return fits;
  });
};

/** Those of the bank's own references that are still among the ones that are kept. */
const firstOwn = (own: readonly string[], kept: readonly string[]): readonly string[] => {
  const known = new Set(kept);
  return firstReferences(
    own.filter((reference) => known.has(reference)),
    LONGEST_OWN_REFERENCES,
  );
};

/** What is kept of the words of a line, in UTF-16 units. */
export const keptLength = ({ references, text, raw }: BankLine): number =>
  references.reduce((sum, reference) => sum + reference.length, text.length + raw.length);

/**
 * What is kept of the words of all lines of a file, in UTF-16 units, for each of its bytes; a little more for small files,
 * never more than the last. The texts of a batch are on each of its lines, and many cells of a workbook may share one text:
 * some KB could stand for gigabytes, which would be in the log for ever.
 */
const MOST_FOR_EACH_BYTE = 64;
const MOST_OF_SMALL = 1_048_576;
const MOST_OF_ALL = 268_435_456;

/** How much all lines of a file of so many bytes may keep together, in UTF-16 units. */
export const mostKept = (bytes: number): number => Math.min(MOST_OF_ALL, MOST_OF_SMALL + MOST_FOR_EACH_BYTE * bytes);

/** A line as it is kept: batches of thousands of payments and endless texts are cut to what an event takes. */
export const boundedLine = <L extends BankLine>(line: L): L => {
  const references = firstReferences(line.references, LONGEST_REFERENCES);
  return {
    ...line,
    references,
    ...(line.ownReferences === undefined ? {} : { ownReferences: firstOwn(line.ownReferences, references) }),
    text: beginningOf(line.text, LONGEST_TEXT),
    raw: beginningOf(line.raw, LONGEST_RAW),
  };
};
