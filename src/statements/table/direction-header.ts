import { directionWord } from './direction-words.ts';

/** How sure a header is that its column says of each line whether it came in or went out: `plainly`, or `perhaps`. */
export type DirectionHeader = 'plainly' | 'perhaps' | null;

const BOTH = new Set(['drcr', 'crdr', 'dc', 'cd', 'sh', 'hs', 'debitcredit', 'creditdebit', 'cdtdbtind']);
const PLAIN = new Set(['direction', 'sign', 'vorzeichen', 'richtung', 'sens', ...BOTH]);
const KINDS = new Set(['type', 'typ', 'kind', 'art', 'kennzeichen', 'indicator', 'flag']);
/** Of another thing than the line: a card of debits is debited by receipts of its shop. */
const CARDS = new Set(['card', 'karte', 'carte', 'kaart']);
const BALANCES = new Set(['balance', 'bal', 'saldo', 'kontostand', 'solde']);
const BETWEEN = new Set(['or', 'and', 'oder', 'und', 'ou', 'of']);

const wordsOf = (name: string): readonly string[] => name.toLowerCase().match(/\p{L}+/gu) ?? [];

const says = (name: string, words: ReadonlySet<string>): boolean => wordsOf(name).some((word) => words.has(word));

/** Whether words of both directions stand beside each other: `Dr / Cr`, `Soll-/Haben-Kennzeichen`, `Money in/out`. */
const namesBoth = (name: string): boolean => {
  const directions = wordsOf(name)
    .filter((word) => !BETWEEN.has(word))
    .map(directionWord);
  return directions.some((one, at) => {
    const other = directions[at + 1] ?? null;
    return one !== null && other !== null && one !== other;
  });
};

/** Whether a column says by its own name that it is of something else than the lines: of a card, or of a balance. */
export const isOfSomethingElse = (name: string): boolean => says(name, BALANCES) || says(name, CARDS);

/**
 * Whether a column stands where banks mark a balance as overdrawn: right behind it. A mark between a balance and the amount counts
 * as the amount's.
 */
const isBehindBalance = (header: readonly string[], column: number, amount: number): boolean =>
  says(header[column - 1] ?? '', BALANCES) && column + 1 !== amount;

/**
 * What the header of a column says of its cells.
 *
 * @param amount where the column of amounts stands; -1 where that is not known
 */
export const directionHeader = (header: readonly string[], column: number, amount: number): DirectionHeader => {
  const name = header[column] ?? '';
  if (isOfSomethingElse(name) || isBehindBalance(header, column, amount)) return null;
  if (namesBoth(name) || says(name, PLAIN) || /\+\s?\/\s?[-−]/.test(name)) return 'plainly';
  return says(name, KINDS) ? 'perhaps' : null;
};

/**
 * Whether a column is the mark of a balance, as another one is plainly that of the amounts. Where there is no other one, it may be
 * either.
 */
export const isMarkOfBalance = (header: readonly string[], column: number, amount: number): boolean =>
  isBehindBalance(header, column, amount) &&
  header.some((_, other) => directionHeader(header, other, amount) === 'plainly');
