import { Command } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import { andBankFiles, type Restored } from './backup.ts';
import type { CommandContext } from './command-context.ts';
import { done, statusOf, type ExitStatus } from './exit-status.ts';
import { soMany } from '../domain/so-many.ts';

type Options = { readonly setAside?: true; readonly json?: true };

const EXAMPLES = `
Examples:
  ramp-ledger restore /backup/events.db
  ramp-ledger restore - --set-aside < events.db      from standard input, into a container say
  ramp-ledger restore events.db --json               {events, position, bytes, bankFiles, setAside, mayLackSigned}

Stop the ledger first; one that serves is left alone. The backup is looked through before it takes the place of what is
there, which --set-aside keeps under another name; bank files go beside those that are there. Read models are built anew by the next start. Then run ramp-ledger verify.
`;

const STANDARD_INPUT = '-';

const MAY_LACK = `checkpoints may have been signed that this data directory does not keep: with a name and key (origin, signing-key, LEDGER_…) of before, the
ledger takes deliveries and signs nothing until somebody says how to go on; ramp-ledger doctor says how, and docs/operating.md, Restore`;

const page = ({ events, position, bankFiles, setAside, mayLackSigned }: Restored): string =>
  [
    `${soMany(events, 'event')}, ${position === null ? 'before the first one' : `up to position ${position}`}${andBankFiles(bankFiles)}, are in place; prove them with ramp-ledger verify`,
    ...(setAside === null ? [] : [`what was there is kept as ${setAside}`]),
    ...(mayLackSigned ? [MAY_LACK] : []),
    '',
  ].join('\n');

/** `restore FILE`: puts a backup in the place of the events. */
export const restoreCommand = (context: CommandContext, exit: (status: ExitStatus) => void): Command =>
  new Command('restore')
    .description('put a backup in the place of the events, while no ledger serves')
    .argument('<file>', 'what ramp-ledger backup wrote; - is standard input')
    .option('--set-aside', 'keep the events that are there under another name')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, { setAside, json }: Options) => {
      const { terminal } = context;
      const restored = await context.restore({
        from: file === STANDARD_INPUT ? null : file,
        setAside: setAside === true,
      });
      if (E.isRight(restored)) {
        terminal.out(json === true ? `${JSON.stringify(restored.right)}\n` : page(restored.right));
      }
      exit(statusOf(terminal, done(restored)));
    });
