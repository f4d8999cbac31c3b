import * as t from 'io-ts';
import { guardedText } from './guarded.ts';
import type { Brand } from './brand.ts';

/** What a profile is called: letters, digits, `.`, `_` and `-`, up to 64. */
export type ProfileName = Brand<string, 'ProfileName'>;

export const isProfileName = (text: string): text is ProfileName => /^[\w.-]{1,64}$/.test(text);

export const ProfileNameText = guardedText('profile name', isProfileName);

/** Which column of a bank's CSV or XLSX is what; columns are named by their header (docs/spec/statements.md, Profiles). */
export type StatementProfile = {
  readonly date: string;
  readonly dateFormat: string;
  /** One column, negative being out where `direction` says nothing, or two. */
  readonly amount: string | { readonly credit: string; readonly debit: string };
  /** The column whose words say of each `amount` whether it came in or went out; there only beside one column of amounts. */
  readonly direction?: string;
  /** A column, or the currency itself where no header has that name. */
  readonly currency: string | null;
  readonly valueDate: string | null;
  readonly account: string | null;
  readonly reference: readonly string[];
  readonly text: readonly string[];
  /** Null: not said, and read as the point where nothing else can be meant. */
  readonly decimal: '.' | ',' | null;
  /** Null: found from the header. */
  readonly delimiter: string | null;
  /** Rows before the header. */
  readonly skipRows: number;
};

const orNull = t.union([t.string, t.null]);

export const StatementProfileData: { readonly is: t.Is<StatementProfile> } & t.Type<StatementProfile> = t.intersection([
  t.type({
    date: t.string,
    dateFormat: t.string,
    amount: t.union([t.string, t.type({ credit: t.string, debit: t.string })]),
    currency: orNull,
    valueDate: orNull,
    account: orNull,
    reference: t.readonlyArray(t.string),
    text: t.readonlyArray(t.string),
    decimal: t.union([t.literal('.'), t.literal(','), t.null]),
    delimiter: orNull,
    skipRows: t.number,
  }),
  // Profiles that were kept before there was such a column have no such member.
  t.partial({ direction: t.string }),
]);
