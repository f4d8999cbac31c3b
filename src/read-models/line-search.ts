import { shortDigestBehind } from '../domain/short-digest.ts';
import type { StatementLine } from '../domain/statement-line.ts';
import { toldReferences } from '../statements/told-references.ts';

/** A search for bank lines by a reference, whole and as it is written (docs/spec/match.md, Search). */
export type LineSearch = {
  readonly reference: string;
  /** Whether the caller may see personal data: who may not is shown nothing that is found by it. */
  readonly personal: boolean;
};

type Line = Pick<StatementLine, 'references' | 'text' | 'raw'>;

/** Of any reference of a line; the match joins lines to orders by it too. */
export const referenceTerm = shortDigestBehind('line ref ');
/** Of those that are told to everybody. */
const toldTerm = shortDigestBehind('line told ');

/**
 * What a search finds a line by, beside the terms of all its references: nobody is led to a line by a reference that they are
 * not told. Reading it then would find nothing, and take longer where a guess is right.
 */
export const toldTerms = (line: Line): readonly number[] => [...toldReferences(line)].map(toldTerm);

/** The term under which what a search finds is indexed, for who asks. */
export const lineSearchTerm = ({ reference, personal }: LineSearch): number =>
  personal ? referenceTerm(reference) : toldTerm(reference);

/** Whether a search finds a line. */
export const isLineFoundBy = (line: Line, { reference, personal }: LineSearch): boolean =>
  personal ? line.references.includes(reference) : toldReferences(line).has(reference);
