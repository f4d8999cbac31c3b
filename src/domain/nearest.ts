/** Optimal string alignment: insertions, deletions, substitutions, and neighbours that changed places. */
const distance = (a: string, b: string): number => {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i += 1) {
    const [before = [], row]: [number[] | undefined, number[]] = [rows[i - 1], [i]];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          (before[j] ?? 0) + 1,
          (row[j - 1] ?? 0) + 1,
          (before[j - 1] ?? 0) + cost,
          swapped ? (rows[i - 2]?.[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    rows.push(row);
  }
  return rows[a.length]?.[b.length] ?? 0;
};

/** Longer texts are no slips of the pen, and would take long to compare. */
const LONGEST = 40;

/** The word that somebody meant who wrote a text, letter case apart; null where none is near: within two slips, and fewer than half of it. */
export const nearest = (text: string, words: readonly string[]): string | null => {
  if (text.length > LONGEST) return null;
  const near = words
    .map((word) => ({ word, away: distance(text.toLowerCase(), word.toLowerCase()) }))
    .filter(({ word, away }) => away <= 2 && away * 2 < word.length);
  return near.toSorted((a, b) => a.away - b.away)[0]?.word ?? null;
};

const LETTERS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_'.split('');

/** Every text that is one slip away from another: these can be looked up by an index, however many texts there are. */
export const oneSlipAway = (text: string): readonly string[] => {
  const places = Array.from({ length: text.length + 1 }, (_, i) => [text.slice(0, i), text.slice(i)] as const);
  return [
    ...new Set(
      places.flatMap(([before, after]) => [
        before + after.slice(1),
        before + after.slice(1, 2) + after.slice(0, 1) + after.slice(2),
        ...LETTERS.flatMap((letter) => [before + letter + after.slice(1), before + letter + after]),
      ]),
    ),
  ].filter((other) => other !== text && other !== '');
};
