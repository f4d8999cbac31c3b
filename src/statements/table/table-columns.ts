import { unreadable, type StatementUnreadable } from '../unreadable.ts';
import type { StatementProfile } from '../../domain/statement-profile.ts';
import type { TableRow } from './table-row.ts';

/** Where each column of a profile stands. */
export type TableColumns = {
  readonly date: number;
  readonly valueDate: number | null;
  readonly amount: number | { readonly credit: number; readonly debit: number };
  /** The words beside the one column of amounts. */
  readonly direction: number | null;
  readonly currency: number | null;
  readonly account: number | null;
  readonly reference: readonly number[];
  readonly text: readonly number[];
};

const spelled = (name: string): string => name.trim().replace(/\s+/g, ' ').toLowerCase();

const placesOf = (names: readonly string[], name: string): readonly number[] =>
  names.flatMap((one, at) => (one === name ? [at] : []));

/** Finds the columns that a profile names in a header; letter case and blanks make no difference where no header is spelled exactly so. */
export const tableColumns = (header: TableRow, profile: StatementProfile): TableColumns | StatementUnreadable => {
  const names = header.cells.map(({ text }) => text.trim());
  const loose = names.map(spelled);
  const all = (name: string): readonly number[] => {
    const exact = placesOf(names, name.trim());
    return exact.length === 0 ? placesOf(loose, spelled(name)) : exact;
  };
  const find = (name: string): number => all(name)[0] ?? -1;
  const { amount } = profile;
  const named = profile.direction === undefined ? [] : all(profile.direction);
  // Banks mark a balance under the same header as the amount: the mark of a figure stands behind it.
  const beside = typeof amount === 'string' ? named.filter((column) => column === find(amount) + 1) : [];
  const marks = beside.length === 1 ? beside : named;
  const single = [
    profile.date,
    ...(typeof amount === 'string' ? [amount] : [amount.credit, amount.debit]),
    ...(profile.direction === undefined || marks.length === 1 ? [] : [profile.direction]),
    ...(profile.valueDate === null ? [] : [profile.valueDate]),
    ...(profile.account === null ? [] : [profile.account]),
  ];
  const needed = [...single, ...profile.reference, ...profile.text];
  const missing = needed.find((name) => find(name) === -1);
  if (missing !== undefined)
    return unreadable(header.line, missing, `the header has no such column: it has ${names.join(', ').slice(0, 200)}`);
  const twice = [...single, profile.currency ?? ''].find((name) => name !== '' && all(name).length > 1);
  if (twice !== undefined)
    return unreadable(header.line, twice, 'the header has this column more than once, and nothing says which is meant');
  const optional = (name: string | null): number | null => {
    const at = name === null ? -1 : find(name);
    return at === -1 ? null : at;
  };
  return {
    date: find(profile.date),
    valueDate: optional(profile.valueDate),
    amount: typeof amount === 'string' ? find(amount) : { credit: find(amount.credit), debit: find(amount.debit) },
    direction: marks[0] ?? null,
    currency: optional(profile.currency),
    account: optional(profile.account),
    reference: profile.reference.flatMap(all),
    text: profile.text.flatMap(all),
  };
};
