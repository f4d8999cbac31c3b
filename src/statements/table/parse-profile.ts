import type { StatementProfile } from '../../domain/statement-profile.ts';
import { ProfileBody } from './profile-body.ts';
import { dateReader } from './table-date.ts';

/** Why a profile is none, in words that name the member. */
export type WrongProfile = { readonly _tag: 'WrongProfile'; readonly member: string; readonly detail: string };

const wrong = (member: string, detail: string): WrongProfile => ({ _tag: 'WrongProfile', member, detail });

const listed = (columns: readonly string[] | string | null | undefined): readonly string[] =>
  typeof columns === 'string' ? [columns] : (columns ?? []);

const MOST_COLUMNS = 50;
const MOST_SKIPPED = 1_000;

/** Reads a profile as it is sent: `amount`, or `credit` and `debit`, beside it or in it. */
export const parseProfile = (body: unknown): StatementProfile | WrongProfile => {
  if (!ProfileBody.is(body))
    return wrong(
      'body',
      'it is no profile: date, dateFormat and direction are texts, reference and text are lists of columns, decimal is "." or ","',
    );
  const { date, dateFormat, decimal, delimiter, skipRows } = body;
  if (date.trim() === '') return wrong('date', 'it names no column');
  if (dateReader(dateFormat) === null) return wrong('dateFormat', 'it has not each of dd, mm and yyyy once');
  const amount = typeof body.amount === 'string' ? body.amount.trim() : body.amount;
  const credit = amount !== null && typeof amount === 'object' ? amount.credit : body.credit;
  const debit = amount !== null && typeof amount === 'object' ? amount.debit : body.debit;
  const two = typeof credit === 'string' && typeof debit === 'string' ? { credit, debit } : null;
  const figures = typeof amount === 'string' && amount !== '' ? amount : two;
  if (figures === null) return wrong('amount', 'there is neither amount, nor credit and debit');
  if (typeof figures === 'string' && two !== null) return wrong('amount', 'it stands beside credit and debit');
  const direction = body.direction ?? null;
  if (direction?.trim() === '') return wrong('direction', 'it names no column');
  if (direction !== null && typeof figures !== 'string')
    return wrong('direction', 'it stands beside credit and debit, which say the direction themselves');
  if (typeof delimiter === 'string' && delimiter.length !== 1) return wrong('delimiter', 'it is not one character');
  if (typeof skipRows === 'number' && !(Number.isInteger(skipRows) && skipRows >= 0 && skipRows <= MOST_SKIPPED))
    return wrong('skipRows', `it is no whole number from 0 to ${String(MOST_SKIPPED)}`);
  const [reference, text] = [listed(body.reference), listed(body.text)];
  if (reference.length + text.length > MOST_COLUMNS) return wrong('reference', 'there are too many columns');
  return {
    date,
    dateFormat,
    amount: figures,
    ...(direction === null ? {} : { direction }),
    currency: body.currency ?? null,
    valueDate: body.valueDate ?? null,
    account: body.account ?? null,
    reference,
    text,
    decimal: decimal ?? null,
    delimiter: delimiter ?? null,
    skipRows: skipRows ?? 0,
  };
};

export const isWrongProfile = (read: StatementProfile | WrongProfile): read is WrongProfile => '_tag' in read;
