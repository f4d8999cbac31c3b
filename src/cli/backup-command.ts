import { Command } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import { andBankFiles, type BackedUp } from './backup.ts';
import type { CommandContext } from './command-context.ts';
import { done, statusOf, type ExitStatus } from './exit-status.ts';
import { STANDARD_OUTPUT } from './out-file-option.ts';
import { progressBar } from './output/progress-bar.ts';
import { soMany } from '../domain/so-many.ts';

type Options = { readonly out: string; readonly json?: true };

const EXAMPLES = `
Examples:
  ramp-ledger backup --out /backup/events.db
  ramp-ledger backup --out - > events.db         along standard output, out of a container say
  ramp-ledger backup --out events.db --json      {events, position, bytes, bankFiles, sha256}

One file with all events as of one moment, and the bank files that were imported, while the ledger serves. FILE appears when it is whole. Secrets and keys are not
in it: keep those elsewhere. ramp-ledger restore puts it back.
`;

const page = ({ events, position, bytes, bankFiles, sha256 }: BackedUp, out: string): string =>
  `${soMany(events, 'event')}, ${position === null ? 'before the first one' : `up to position ${position}`}${andBankFiles(bankFiles)}: ${out}, ${bytes} bytes\nSHA-256 ${sha256}\n`;

/** `backup --out FILE`: the events in one file, while the ledger serves. */
export const backupCommand = (context: CommandContext, exit: (status: ExitStatus) => void): Command =>
  new Command('backup')
    .description('copy all events and bank files into one file, while the ledger serves')
    .requiredOption('--out <file>', 'the file to write; - is standard output')
    .option('--json', 'print the figures as JSON')
    .addHelpText('after', EXAMPLES)
    .action(async ({ out, json }: Options) => {
      const { terminal, now } = context;
      const isPiped = out === STANDARD_OUTPUT;
      const bar = progressBar(terminal, 'backup', now, 'MiB');
      const made = await context.backUp(isPiped ? null : out, bar.onProgress).finally(bar.stop);
      if (E.isRight(made)) {
        const shown = page(made.right, isPiped ? 'standard output' : out);
        (isPiped ? terminal.note : terminal.out)(json === true ? `${JSON.stringify(made.right)}\n` : shown);
      }
      exit(statusOf(terminal, done(made)));
    });
