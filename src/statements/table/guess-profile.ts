import { directionHeader } from './direction-header.ts';
import { directionWord, isSign } from './direction-words.ts';
import { dateReader } from './table-date.ts';
import type { PeekedTable } from './peek-table.ts';

/** What a column may be used as. */
export const COLUMN_USES = [
  'date',
  'valueDate',
  'amount',
  'direction',
  'credit',
  'debit',
  'currency',
  'account',
  'reference',
  'text',
] as const;

export type ColumnUse = (typeof COLUMN_USES)[number];

/** What a table seems to be; somebody looks at it before anything is read by it. */
export type TableGuess = {
  /** Rows before the header, as a profile counts them: lines of the file, or rows of the sheet. */
  readonly skipRows: number;
  readonly dateFormat: string;
  readonly decimal: '.' | ',';
  /** By the place of the column. */
  readonly uses: readonly (ColumnUse | null)[];
};

const AMOUNT = /amount|betrag|importe|montant|umsatz/i;

const isAmount = (name: string): boolean => AMOUNT.test(name);

const WORDS: readonly (readonly [ColumnUse, RegExp])[] = [
  ['valueDate', /value.?da|valuta|wertstellung/i],
  ['date', /^(?:date|datum|day)$|booking|posted|posting|buchung|date/i],
  ['debit', /debit|withdraw|paid out|soll|money out|\bdr\b/i],
  ['credit', /credit|deposit|paid in|haben|money in|\bcr\b/i],
  ['currency', /currency|ccy|währung|waehrung/i],
  ['amount', AMOUNT],
  // What the payer wrote: with other banks `Payment Ref No` is the number of a payment.
  ['text', /^payment reference$/i],
  ['reference', /\bref|utr|cheque|chq|rrn|transaction id|txn id/i],
  ['text', /narration|description|detail|particular|remark|purpose|verwendungszweck|memo|text/i],
  ['account', /account|iban|konto/i],
];

/** Columns that a table has once: of several that could be it, the first is. */
const ONCE: ReadonlySet<ColumnUse> = new Set([
  'date',
  'valueDate',
  'amount',
  'direction',
  'credit',
  'debit',
  'currency',
  'account',
]);

/** @param says whether a column has nothing but words for a direction, by its place */
const usesOf = (header: readonly string[], says: (column: number) => boolean): readonly (ColumnUse | null)[] => {
  const taken = new Set<ColumnUse>();
  const wordOf = (name: string): ColumnUse | null =>
    WORDS.find(([one, words]) => words.test(name.trim()) && !(ONCE.has(one) && taken.has(one)))?.[0] ?? null;
  const uses = header.map((name, column) => {
    const use = says(column) && !taken.has('direction') ? 'direction' : wordOf(name);
    if (use !== null) taken.add(use);
    return use;
  });
  // One figure with a sign, or with a word, or two columns: never all of them.
  const hasBoth = taken.has('credit') && taken.has('debit');
  return uses.map((use) => (hasBoth && (use === 'amount' || use === 'direction') ? null : use));
};

/** Whether the header of a column says that it has the direction of each line, and its cells have nothing else. */
const saysDirection = (header: readonly string[], column: number, body: readonly (readonly string[])[]): boolean => {
  const sure = directionHeader(header, column, header.findIndex(isAmount));
  if (sure === null) return false;
  const cells = body.map((row) => row[column] ?? '').filter((cell) => cell.trim() !== '');
  if (cells.length === 0 || !cells.every((cell) => directionWord(cell) !== null)) return false;
  return sure === 'plainly' || !cells.every(isSign);
};

const FORMATS = [
  'yyyy-mm-dd',
  'dd/mm/yyyy',
  'mm/dd/yyyy',
  'dd.mm.yyyy',
  'dd-mm-yyyy',
  'dd/mm/yy',
  'dd.mm.yy',
  'dd-mmm-yyyy',
  'dd mmm yyyy',
  'yyyymmdd',
];

const decimalOf = (cells: readonly string[]): '.' | ',' =>
  cells.some((cell) => /\d,\d{1,2}$/.test(cell.trim())) ? ',' : '.';

/** Whether a column has the account that the file is of: the payee's is another one from line to line. */
const isOwnAccount = (cells: readonly string[]): boolean => cells.length > 1 && new Set(cells).size === 1;

/** Guesses where the header stands and what its columns are; null where no row looks like a header. */
export const guessProfile = ({ rows }: PeekedTable): TableGuess | null => {
  const guesses = rows.map(({ cells }, at) =>
    usesOf(cells, (column) =>
      saysDirection(
        cells,
        column,
        rows.slice(at + 1).map((row) => row.cells),
      ),
    ),
  );
  const known = guesses.map((uses) => uses.filter((use) => use !== null).length);
  const best = Math.max(0, ...known);
  const at = known.indexOf(best);
  const [header, uses] = [rows[at], guesses[at]];
  if (header === undefined || uses === undefined || best < 2) return null;
  const body = rows.slice(at + 1);
  const column = (use: ColumnUse): readonly string[] =>
    body.map(({ cells }) => cells[uses.indexOf(use)] ?? '').filter((cell) => cell.trim() !== '');
  const dates = uses.includes('date') ? column('date') : [];
  const dateFormat = FORMATS.find((format) => {
    const read = dateReader(format);
    return read !== null && dates.length > 0 && dates.every((cell) => read(cell) !== null);
  });
  const figures = (['amount', 'credit', 'debit'] as const).flatMap((use) => (uses.includes(use) ? column(use) : []));
  // Where the figures have signs, what else says the direction may say it of some lines only.
  const isSigned = figures.some((cell) => /^\s*[-−(]|[-−)]\s*$/.test(cell));
  const isTheirs = uses.includes('account') && !isOwnAccount(column('account'));
  return {
    skipRows: header.line - 1,
    dateFormat: dateFormat ?? 'dd/mm/yyyy',
    decimal: decimalOf(figures),
    uses: uses.map((use) => ((use === 'account' && isTheirs) || (use === 'direction' && isSigned) ? null : use)),
  };
};
