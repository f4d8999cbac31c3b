import type { importResource } from '../../queries/statements/statement-resources.ts';
import { cellText } from './cell-text.ts';
import { SAME_BYTES } from '../../queries/statements/imported-as.ts';
import { soMany } from '../../domain/so-many.ts';

type Imported = Pick<
  ReturnType<typeof importResource>,
  'statementId' | 'account' | 'currency' | 'lines' | 'newLines' | 'duplicateLines' | 'pending' | 'opening' | 'closing'
>;

/** What a file is imported as. */
type As = Pick<Imported, 'account' | 'currency'>;

/** A file that was imported before, and what it was to be imported as now; null: as it was. */
type Repeat = { readonly otherwise: As | null };

const accountText = (account: string | null): string => (account === null ? 'several accounts' : cellText(account));

const asText = ({ account, currency }: As): string =>
  `${accountText(account)}${currency === null ? '' : ` in ${cellText(currency)}`}`;

/** Whoever has files of equal bytes for two accounts, or two currencies, must learn that the second was not taken. */
const repeatLines = ({ otherwise }: Repeat, was: As): readonly string[] => [
  `imported before, for ${asText(was)}: nothing was added`,
  ...(otherwise === null ? [] : [`not imported for ${asText(otherwise)}: ${SAME_BYTES}`]),
];

/** What `statement import` prints of a file that was taken; `repeat`: null where it was not imported before. */
export const importedPage = (
  { statementId, account, currency, lines, newLines, duplicateLines, pending, opening, closing }: Imported,
  repeat: Repeat | null,
): string =>
  [
    ...(repeat === null ? [] : repeatLines(repeat, { account, currency })),
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
