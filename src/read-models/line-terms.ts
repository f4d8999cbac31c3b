import type { StatementLine } from '../domain/statement-line.ts';
import { toldTerms } from './line-search.ts';
import { lineMatchTerms } from './match-terms.ts';
import type { WrappedLine } from './wrapped-line.ts';

/** What the index of the match finds a line of one file by, beside its name, each once. */
export const lineTerms = (line: WrappedLine): ReadonlySet<number> =>
  new Set([...lineMatchTerms(line), ...toldTerms(line)]);

/** Whether two files say of a line all that its terms are made of alike; what else its id is made of is the same. */
const areAlike = (one: StatementLine, other: StatementLine): boolean =>
  one.raw === other.raw &&
  one.text === other.text &&
  JSON.stringify([one.references, one.ownReferences]) === JSON.stringify([other.references, other.ownReferences]);

/**
 * The terms of a line as another file has it that it was not found by before. Nothing is ever taken out of the index, so that
 * a line is found by what any of its files says, in whatever order they come.
 *
 * @param known the line as one of its files has it, and the terms of others beyond those
 */
export const furtherTerms = (
  known: { readonly ofFile: WrappedLine; readonly further: readonly number[] },
  again: WrappedLine,
): readonly number[] => {
  if (areAlike(known.ofFile, again)) return [];
  const before = lineTerms(known.ofFile).union(new Set(known.further));
  return [...lineTerms(again).difference(before)];
};

/** The terms that a line is found by beyond those of one of its files: of all that are given, in their order. */
export const termsBeyond = (ofFile: WrappedLine, terms: Iterable<number>): readonly number[] =>
  [...new Set(terms).difference(lineTerms(ofFile))].toSorted((a, b) => a - b);
