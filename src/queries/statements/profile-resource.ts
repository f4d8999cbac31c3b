import * as t from 'io-ts';
import { described } from '../../openapi/described.ts';
import { text } from '../resources/values.ts';
import type { KeptProfile } from './profiles.ts';

/** A profile that is kept (docs/spec/statements.md, Profiles). */
export const ProfileResource = t.strict(
  {
    name: text('What it is called.'),
    date: text('The column of the booking day.'),
    dateFormat: text('How days are written: `dd`, `mm` and `yyyy`.'),
    amount: described(
      t.union([t.string, t.strict({ credit: t.string, debit: t.string })]),
      'One column, negative being out, or one for each direction.',
    ),
    direction: described(
      t.union([t.string, t.null]),
      'The column whose words (CR and DR, S and H, + and -, …) say of each amount whether it came in or went out; null: its sign does.',
    ),
    currency: described(t.union([t.string, t.null]), 'A column, or the currency itself.'),
    valueDate: described(t.union([t.string, t.null]), 'The column of the value date.'),
    account: described(t.union([t.string, t.null]), 'The column of the account.'),
    reference: described(t.readonlyArray(t.string), 'Columns of references.'),
    text: described(t.readonlyArray(t.string), 'Columns of text.'),
    decimal: text('What stands before the decimals.'),
    delimiter: described(t.union([t.string, t.null]), 'What stands between cells; null: found from the header.'),
    skipRows: described(t.number, 'Lines before the header.'),
    position: text('Its place in the whole log: opaque.'),
  },
  'StatementProfile',
);

export const profileResource = ({ name, profile, position }: KeptProfile): t.TypeOf<typeof ProfileResource> => ({
  name,
  ...profile,
  direction: profile.direction ?? null,
  decimal: profile.decimal ?? '.',
  position,
});
