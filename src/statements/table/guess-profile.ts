import { dateReader } from './table-date.ts';
import type { PeekedTable } from './peek-table.ts';

/** What a column may be used as. */
export const COLUMN_USES = [
  'date',
  'valueDate',
  'amount',
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

const WORDS: readonly (readonly [ColumnUse, RegExp])[] = [
  ['valueDate', /value.?da|valuta|wertstellung/i],
  ['date', /^(?:date|datum|day)$|booking|posted|posting|buchung|date/i],
  ['debit', /debit|withdraw|paid out|soll|money out|\bdr\b/i],
  ['credit', /credit|deposit|paid in|haben|money in|\bcr\b/i],
  ['currency', /currency|ccy|währung|waehrung/i],
  ['amount', /amount|betrag|importe|montant|umsatz/i],
  // What the payer wrote: with other banks `Payment Ref No` is the number of a payment.
  ['text', /^payment reference$/i],
  ['reference', /\bref|utr|cheque|chq|rrn|transaction id|txn id/i],
  ['text', /narration|description|detail|particular|remark|purpose|verwendungszweck|memo|text/i],
  ['account', /account|iban|konto/i],
];

/** Columns that a table has once: of several that could be it, the first is. */
const ONCE: ReadonlySet<ColumnUse> = new Set(['date', 'valueDate', 'amount', 'credit', 'debit', 'currency', 'account']);

const usesOf = (header: readonly string[]): readonly (ColumnUse | null)[] => {
  const taken = new Set<ColumnUse>();
  const uses = header.map((name) => {
    const use =
      WORDS.find(([one, words]) => words.test(name.trim()) && !(ONCE.has(one) && taken.has(one)))?.[0] ?? null;
    if (use !== null) taken.add(use);
    return use;
  });
  // One figure with a sign, or two columns: never all three.
  const hasBoth = taken.has('credit') && taken.has('debit');
  return uses.map((use) => (use === (hasBoth ? 'amount' : null) ? null : use));
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
  const known = (cells: readonly string[]): number => usesOf(cells).filter((use) => use !== null).length;
  const best = rows.reduce((most, { cells }) => Math.max(most, known(cells)), 0);
  const at = rows.findIndex(({ cells }) => known(cells) === best);
  const header = rows[at];
  if (header === undefined || best < 2) return null;
  const uses = usesOf(header.cells);
  const body = rows.slice(at + 1);
  const column = (use: ColumnUse): readonly string[] =>
    body.map(({ cells }) => cells[uses.indexOf(use)] ?? '').filter((cell) => cell.trim() !== '');
  const dates = uses.includes('date') ? column('date') : [];
  const dateFormat = FORMATS.find((format) => {
    const read = dateReader(format);
    return read !== null && dates.length > 0 && dates.every((cell) => read(cell) !== null);
  });
  const figures = (['amount', 'credit', 'debit'] as const).flatMap((use) => (uses.includes(use) ? column(use) : []));
  const isTheirs = uses.includes('account') && !isOwnAccount(column('account'));
  return {
    skipRows: header.line - 1,
    dateFormat: dateFormat ?? 'dd/mm/yyyy',
    decimal: decimalOf(figures),
    uses: uses.map((use) => (use === 'account' && isTheirs ? null : use)),
  };
};
