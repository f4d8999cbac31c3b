import { Command } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import type { ImportReport } from '../ledger/import-report.ts';
import type { CommandContext } from './command-context.ts';
import { statusOf, type ExitStatus } from './exit-status.ts';
import { pastDeliveriesPage, refusedNote } from './output/past-deliveries-page.ts';
import { progressBar } from './output/progress-bar.ts';
import { soMany } from '../domain/so-many.ts';

type Options = { readonly json?: true };

const HELP = `
Each line of FILE is a JSON object {body or bodyBase64, signature, receivedAt}: what was signed, as text or in Base64, the
signature that came with it, and when it came. Each is verified and decided as if it arrived then; what is there already
stays as it is, so that an import that was cut off is simply repeated. Exit status 1 where a line was refused.

Examples:
  ramp-ledger import deliveries.ndjson
  zcat deliveries.ndjson.gz | ramp-ledger import -     from standard input
  ramp-ledger import deliveries.ndjson --json          {recorded, duplicates, conflicts, quarantined, refused}
`;

/** Lines between two notes where no bar is drawn. */
const NOTED_EVERY = 100_000;

/** `import FILE`: brings past deliveries in, each as if it arrived. */
export const importCommand = (context: CommandContext, exit: (status: ExitStatus) => void): Command =>
  new Command('import')
    .description('bring in past deliveries, each verified and decided as if it arrived')
    .argument('<file>', 'NDJSON, a delivery on each line; - is standard input')
    .option('--json', 'print the figures as JSON')
    .addHelpText('after', HELP)
    .action(async (file: string, { json }: Options) => {
      const { terminal, now } = context;
      const bar = progressBar(terminal, 'import', now, 'lines');
      const onProgress = (share: number, lines: number): void => {
        bar.onProgress(share, lines);
        if (!terminal.interactive && lines % NOTED_EVERY === 0) terminal.note(`${soMany(lines, 'line')} read\n`);
      };
      const imported = await context.importPast(file, onProgress).finally(bar.stop);
      if (E.isRight(imported)) {
        const note = json === true ? refusedNote(imported.right) : null;
        if (note !== null) terminal.note(note);
        terminal.out(json === true ? `${JSON.stringify(imported.right)}\n` : pastDeliveriesPage(imported.right));
      }
      exit(
        statusOf(terminal, E.map(({ refused }: ImportReport): ExitStatus => (refused.length === 0 ? 0 : 1))(imported)),
      );
    });
