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

const firstReferences = (references: readonly string[]): readonly string[] => {
  let length = 0;
  return references.slice(0, MOST_REFERENCES).filter((reference) => {
    const fits = length + reference.length <= LONGEST_REFERENCES;
    if (fits) length += reference.length;
    return fits;
  });
};

/** A line as it is kept: batches of thousands of payments and endless texts are cut to what an event takes. */
export const boundedLine = <L extends BankLine>(line: L): L => ({
  ...line,
  references: firstReferences(line.references),
  text: beginningOf(line.text, LONGEST_TEXT),
  raw: beginningOf(line.raw, LONGEST_RAW),
});
