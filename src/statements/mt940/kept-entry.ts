import type { AtWraps } from '../../domain/at-wraps.ts';
import type { StatementLine } from '../../domain/statement-line.ts';
import { lineReferences, namesPayment, type Named } from '../references.ts';
import { mt940Details, type Mt940Details } from './mt940-details.ts';
import { namedBelowEntry, namedByEntry } from './mt940-entry.ts';

/** How the entry of a line begins as it is kept. */
const BEGINS_ENTRY = ':61:';

/** An entry as its line keeps it: field 61, and what the fields 86 behind it say. */
type KeptEntry = {
  readonly first: string;
  readonly supplement: readonly string[];
  readonly details: readonly Mt940Details[];
};

/** Null where what is kept is no entry of MT940. */
const keptEntry = (raw: string): KeptEntry | null => {
  if (!raw.startsWith(BEGINS_ENTRY)) return null;
  const [entry = '', ...details] = raw.slice(BEGINS_ENTRY.length).split('\n:86:');
  const [first = '', ...supplement] = entry.split('\n');
  return { first, supplement, details: details.map((text) => mt940Details(text.split('\n'))) };
};

const textsOf = (named: readonly Named[]): readonly string[] => lineReferences(named).references;

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
  const kept = keptEntry(raw);
  if (kept === null) return null;
  const said = kept.details.flatMap(({ references }) => references.filter(isAlone));
  return textsOf([...namedByEntry(kept.first), ...said.map(namesPayment)]);
};

/**
 * What of a kept line stands where its text was wrapped (docs/spec/match.md, Rules). A reference that has no place of its own in
 * what is kept counts as a word of the text.
 *
 * @returns null where it is no entry of MT940, or was not wrapped
 */
export const atWraps = ({ raw, references }: Pick<StatementLine, 'raw' | 'references'>): AtWraps | null => {
  const kept = keptEntry(raw);
  if (kept === null) return null;
  const said = kept.details.flatMap((details) => details.references.map(namesPayment));
  const placed = new Set(textsOf([...namedByEntry(kept.first), namedBelowEntry(kept.supplement), ...said]));
  const words = references.filter((reference) => !placed.has(reference));
  const around = kept.details.flatMap(({ joints }) => joints);
  return words.length === 0 && around.length === 0 ? null : { words, joints: [...new Set(around)] };
};
