import type { Direction } from '../../domain/statement-line.ts';

/**
 * The words by which banks say of a line whether it came in or went out (docs/spec/statements.md, Profiles), from the side of the
 * account's holder. A closed list: a word that is guessed at would book a payout as a receipt. `W` is none, since beside it `D`
 * is a deposit.
 */
export const DIRECTION_WORDS: Readonly<Record<Direction, readonly string[]>> = {
  in: [
    '+',
    'c',
    'cr',
    'crdt',
    'credit',
    'credited',
    'crédit',
    'k',
    'kredit',
    'h',
    'haben',
    'gutschrift',
    'eingang',
    'bij',
    'abono',
    'in',
    'incoming',
    'inward',
    'received',
    'deposit',
    'paid in',
    'money in',
  ],
  out: [
    '-',
    'd',
    'dr',
    'db',
    'dbit',
    'debit',
    'debited',
    'débit',
    'debet',
    's',
    'soll',
    'lastschrift',
    'belastung',
    'ausgang',
    'af',
    'cargo',
    'out',
    'outgoing',
    'outward',
    'sent',
    'withdrawal',
    'paid out',
    'money out',
  ],
};

/** Longer than any of the words, however it is spaced: what is longer is not looked at. */
const LONGEST_CELL = 40;

/** A word without what does not count of it: case, dots, blanks and brackets. */
const bare = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[\s.()[\]]/g, '')
    .replaceAll('−', '-');

const WORDS: ReadonlyMap<string, Direction> = new Map(
  (['in', 'out'] as const).flatMap((direction) =>
    DIRECTION_WORDS[direction].map((word) => [bare(word), direction] as const),
  ),
);

/** What a cell says by one of the words; null where it has none of them. */
export const directionWord = (cell: string): Direction | null =>
  cell.length > LONGEST_CELL ? null : (WORDS.get(bare(cell)) ?? null);

/** Whether a word is `+` or `-`. Banks write `-` for nothing, too, so beside other words it says nothing. */
export const isSign = (cell: string): boolean => /^[+\-−]$/.test(cell.trim());

/** Whether a word can hardly mean anything else: single letters are codes of many things. */
export const isWholeWord = (cell: string): boolean => bare(cell).length > 1;
