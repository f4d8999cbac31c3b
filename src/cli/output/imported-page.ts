import type { importResource } from '../../queries/statements/statement-resources.ts';
import { cellText } from './cell-text.ts';
import { soMany } from '../../domain/so-many.ts';

type Imported = Pick<
  ReturnType<typeof importResource>,
  'statementId' | 'account' | 'lines' | 'newLines' | 'duplicateLines' | 'pending' | 'opening' | 'closing'
>;

/** A file that was imported before, and the account that was named for it now. */
type Repeat = { readonly asked: string | null };

const accountText = (account: string | null): string => (account === null ? 'several accounts' : cellText(account));

/** Whoever has files of equal bytes for two accounts must learn that the second was not taken. */
const repeatLines = ({ asked }: Repeat, account: string | null): readonly string[] => [
  `imported before, for ${accountText(account)}: nothing was added`,
  ...(asked === null || asked === account
    ? []
    : [
        `not imported for ${cellText(asked)}: it has the same bytes; with an empty line more at its end, or saved again, it is a file of its own`,
      ]),
];

/** What `statement import` prints of a file that was taken; `repeat`: null where it was not imported before. */
export const importedPage = (
  { statementId, account, lines, newLines, duplicateLines, pending, opening, closing }: Imported,
  repeat: Repeat | null,
): string =>
  [
    ...(repeat === null ? [] : repeatLines(repeat, account)),
    `${soMany(lines, 'line')} of ${accountText(account)}: ${newLines} new, ${duplicateLines} known already`,
    ...(pending === 0
      ? []
      : [
          `${pending} ${pending === 1 ? 'entry is not booked yet, and was' : 'entries are not booked yet, and were'} left out`,
        ]),
    ...(opening === null && closing === null ? [] : [`balance ${opening ?? '?'} to ${closing ?? '?'}`]),
    `statement ${statementId}`,
    '',
  ].join('\n');
