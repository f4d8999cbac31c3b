import { Command } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { sha256 } from '../domain/sha256.ts';
import { closeBook, type CloseBook } from '../queries/periods/book/close-book.ts';
import { closeWorkbook } from '../queries/periods/book/close-workbook.ts';
import { monthNamed } from '../queries/periods/read-period.ts';
import { ask } from './answer.ts';
import { cellText } from './output/cell-text.ts';
import type { CommandContext } from './command-context.ts';
import type { CommandFailure } from './command-failure.ts';
import type { ExitStatus } from './exit-status.ts';
import { outFileOption } from './out-file-option.ts';
import { withLedger } from './with-ledger.ts';
import { writeWhole } from './write-whole.ts';

type Options = { readonly out: string; readonly pii?: true; readonly json?: true };

const HELP = `
Who closed the month and how, its reports by day, readiness as it was, and what came for earlier months between the close
before and this one. Beside FILE, FILE.manifest.json is written.

Example:
  ramp-ledger period workbook 2026-03 --out close-2026-03.xlsx
`;

/** What stands beside the file; the names are those of other exports. */
const manifestOf = ({ closed: { data } }: CloseBook, file: Buffer, { pii }: Options) => ({
  export: 'period',
  format: 'xlsx',
  personalData: pii === true ? 'shown' : 'masked',
  period: data.period,
  timeZone: data.timeZone,
  position: data.asOf?.position ?? null,
  reports: data.reports,
  bytes: file.length,
  sha256: sha256(file),
});

const pieceOf = async function* (bytes: Uint8Array) {
  yield E.right(bytes);
};

const written = async (
  context: CommandContext,
  options: Options,
  book: CloseBook,
): Promise<E.Either<CommandFailure, ExitStatus>> => {
  const { out, pii, json } = options;
  const file = await closeWorkbook(book, pii === true ? 'shown' : 'masked');
  const manifest = manifestOf(book, file, options);
  const files = await writeWhole(context, [
    { file: out, pieces: () => pieceOf(file) },
    {
      file: `${out}.manifest.json`,
      pieces: () => pieceOf(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)),
    },
  ]);
  if (E.isLeft(files)) return files;
  const page = `the close of ${manifest.period} by ${cellText(book.closed.by)}: ${out}\nSHA-256 ${manifest.sha256}\n`;
  context.terminal.out(json === true ? `${JSON.stringify(manifest)}\n` : page);
  return E.right(0);
};

/** `period workbook MONTH --out FILE`: a closed month as a workbook. */
export const periodWorkbookCommand = (context: CommandContext, exit: (status: ExitStatus) => void): Command =>
  new Command('workbook')
    .description('write a closed month as a workbook, with a manifest beside it')
    .argument('<month>', 'as 2026-03')
    .addOption(outFileOption('the workbook to write; FILE.manifest.json is written beside it', 'close-2026-03.xlsx'))
    .option('--pii', 'with personal data, which is masked otherwise')
    .option('--json', 'print the manifest as JSON')
    .addHelpText('after', HELP)
    .action(async (name: string, options: Options) => {
      exit(
        await withLedger(context, async (ledger): Promise<E.Either<CommandFailure, ExitStatus>> => {
          const book = await ask(context, ledger, {
            parse: () => TE.fromEither(monthNamed(name)),
            answer: (deps) => (month) => closeBook(deps, month, ['day']),
          });
          return E.isLeft(book) ? book : written(context, options, book.right);
        }),
      );
    });
