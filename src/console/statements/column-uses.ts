import { upperAscii } from '../../domain/letter-case.ts';
import type { StatementProfile } from '../../domain/statement-profile.ts';
import { COLUMN_USES, type ColumnUse, type TableGuess } from '../../statements/table/guess-profile.ts';
import { parseProfile, type WrongProfile } from '../../statements/table/parse-profile.ts';
import type { PeekedTable } from '../../statements/table/peek-table.ts';
import type { FilledTexts } from '../filled-parameters.ts';

/** What somebody has chosen of a table: a guess that was looked at. */
export type ChosenColumns = TableGuess;

/** The header that a table has behind some rows, by the place of its columns; empty where there is none. */
export const headerBehind = ({ rows }: PeekedTable, skipRows: number): readonly string[] =>
  rows.find(({ line }) => line > skipRows)?.cells.map((cell) => cell.trim()) ?? [];

/** The name of the field that says what a column is used as. */
export const useField = (column: number): string => `use${column}`;

const MOST_COLUMNS = 60;
const MOST_SKIPPED = 1_000;

/** What the fields of the form say; null where they say nothing of columns. */
export const chosenIn = (texts: FilledTexts): ChosenColumns | null => {
  const uses = Array.from({ length: MOST_COLUMNS }, (_, column) => {
    const text = texts.get(useField(column));
    return COLUMN_USES.find((use) => use === text) ?? null;
  });
  if (!uses.some((_, column) => texts.has(useField(column)))) return null;
  const skipped = Number(texts.get('skipRows') ?? '0');
  return {
    skipRows: Number.isInteger(skipped) && skipped >= 0 && skipped <= MOST_SKIPPED ? skipped : 0,
    dateFormat: texts.get('dateFormat')?.trim() ?? '',
    decimal: texts.get('decimal') === ',' ? ',' : '.',
    uses,
  };
};

/** What a profile makes of a header. */
export const chosenBy = (profile: StatementProfile, table: PeekedTable): ChosenColumns => {
  const { amount, direction = null, reference, text, skipRows, dateFormat, decimal } = profile;
  const names = new Map<string, ColumnUse>([
    ...text.map((name) => [name, 'text'] as const),
    ...reference.map((name) => [name, 'reference'] as const),
  ]);
  const one = (name: string | null, use: ColumnUse): void => void (name === null ? null : names.set(name, use));
  one(profile.account, 'account');
  one(profile.currency, 'currency');
  one(profile.valueDate, 'valueDate');
  one(direction, 'direction');
  if (typeof amount === 'string') one(amount, 'amount');
  else {
    one(amount.credit, 'credit');
    one(amount.debit, 'debit');
  }
  one(profile.date, 'date');
  const uses = headerBehind(table, skipRows).map((name) => names.get(name) ?? null);
  return { skipRows, dateFormat, decimal: decimal ?? '.', uses };
};

/**
 * The profile that is chosen, or what it lacks.
 *
 * @param currency of a table without a column for it; may be empty
 */
export const profileOf = (
  { uses, ...chosen }: ChosenColumns,
  table: PeekedTable,
  currency: string,
): StatementProfile | WrongProfile => {
  const header = headerBehind(table, chosen.skipRows);
  const named = (use: ColumnUse): readonly string[] =>
    header.filter((name, column) => name !== '' && uses[column] === use);
  const one = (use: ColumnUse): string | null => named(use)[0] ?? null;
  const stated = currency.trim() === '' ? null : upperAscii(currency.trim());
  return parseProfile({
    ...chosen,
    date: one('date') ?? '',
    valueDate: one('valueDate'),
    amount: one('amount'),
    direction: one('direction'),
    credit: one('credit'),
    debit: one('debit'),
    currency: one('currency') ?? stated,
    account: one('account'),
    reference: named('reference'),
    text: named('text'),
    delimiter: table.delimiter,
  });
};
