import type { importResource } from '../../queries/statements/statement-resources.ts';
import { cellText } from './cell-text.ts';
import { soMany } from '../../domain/so-many.ts';

type Imported = Pick<
  ReturnType<typeof importResource>,
  'statementId' | 'account' | 'lines' | 'newLines' | 'duplicateLines' | 'pending' | 'opening' | 'closing'
>;

/** What `statement import` prints of a file that was taken. */
export const importedPage = ({
  statementId,
  account,
  lines,
  newLines,
  duplicateLines,
  pending,
  opening,
  closing,
}: Imported): string =>
  [
    `${soMany(lines, 'line')} of ${account === null ? 'several accounts' : cellText(account)}: ${newLines} new, ${duplicateLines} known already`,
    ...(pending === 0
      ? []
      : [
          `${pending} ${pending === 1 ? 'entry is not booked yet, and was' : 'entries are not booked yet, and were'} left out`,
        ]),
    ...(opening === null && closing === null ? [] : [`balance ${opening ?? '?'} to ${closing ?? '?'}`]),
    `statement ${statementId}`,
    '',
  ].join('\n');
