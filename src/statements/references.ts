/** What banks write where there is no reference. */
const NONE = /^(?:NONREF|NOREF|NOTPROVIDED|NOT PROVIDED|NONE|N\/A|NULL|[EKMPCR]REF\+?|MARF|0+|-+)$/i;

/** References, each once and in the order in which they came, without blanks around and without those that say that there is none. */
export const distinctReferences = (candidates: readonly (string | null | undefined)[]): readonly string[] => [
  ...new Set(
    candidates.flatMap((candidate) => {
      const reference = candidate?.trim() ?? '';
      return reference === '' || NONE.test(reference) ? [] : [reference];
    }),
  ),
];

/** Pieces of text joined by one blank, without empty ones and repeats of the same piece. */
export const joinedText = (pieces: readonly (string | null | undefined)[]): string =>
  [...new Set(pieces.map((piece) => piece?.replace(/\s+/g, ' ').trim() ?? '').filter((piece) => piece !== ''))].join(
    ' ',
  );
