import type { BankLine } from '../domain/statement-line.ts';

/** What banks write where there is no reference. */
const NONE = /^(?:NONREF|NOREF|NOTPROVIDED|NOT PROVIDED|NONE|N\/A|NULL|[EKMPCR]REF\+?|MARF|0+|-+)$/i;

/** References, each once and in the order in which they came, without blanks around and without those that say that there is none. */
const distinctReferences = (candidates: readonly (string | null | undefined)[]): readonly string[] => [
  ...new Set(
    candidates.flatMap((candidate) => {
      const reference = candidate?.trim() ?? '';
      return reference === '' || NONE.test(reference) ? [] : [reference];
    }),
  ),
];

/** What stands where a file names something; `ofEntry`: by which the bank names its own entry, and nobody else a payment. */
export type Named = { readonly text: string | null | undefined; readonly ofEntry: boolean };

/** What names a payment. */
export const namesPayment = (text: string | null | undefined): Named => ({ text, ofEntry: false });

/** What names the bank's own entry. */
export const namesEntry = (text: string | null | undefined): Named => ({ text, ofEntry: true });

/** The references of a line, in the order in which they came. One that names the payment elsewhere is not the bank's own. */
export const lineReferences = (named: readonly Named[]): Pick<BankLine, 'references' | 'ownReferences'> => {
  const references = distinctReferences(named.map(({ text }) => text));
  const ofPayment = new Set(distinctReferences(named.filter(({ ofEntry }) => !ofEntry).map(({ text }) => text)));
  const ownReferences = references.filter((reference) => !ofPayment.has(reference));
  return ownReferences.length === 0 ? { references } : { references, ownReferences };
};

/** Pieces of text joined by one blank, without empty ones and repeats of the same piece. */
export const joinedText = (pieces: readonly (string | null | undefined)[]): string =>
  [...new Set(pieces.map((piece) => piece?.replace(/\s+/g, ' ').trim() ?? '').filter((piece) => piece !== ''))].join(
    ' ',
  );
