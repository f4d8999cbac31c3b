import { Command, InvalidArgumentError } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import type { CommandContext } from './command-context.ts';
import type { CommandFailure } from './command-failure.ts';
import type { ExitStatus } from './exit-status.ts';
import { withLedger } from './with-ledger.ts';

type Options = { readonly json?: true; readonly acceptLoss?: string };

const EXAMPLES = `
Examples:
  ramp-ledger checkpoint > kept.txt            the signed checkpoint of all events of now
  ramp-ledger checkpoint --json                {origin, size, rootHash, note}
  ramp-ledger verify --checkpoint kept.txt     later: does the log still contain all of it?
  ramp-ledger checkpoint --accept-loss 'restored the backup of Monday after the disk failed'

A ledger whose log no longer contains a checkpoint that it signed, after an older backup was restored say, signs nothing
more until somebody accepts that with a note. It then goes on under another name (origin); the checkpoints of the old name
are kept, and verify no longer holds the log to them.

Whoever keeps a checkpoint can tell, for ever, whether an event before it was taken out, changed or put in between.
`;

const LONGEST_NOTE = 1_000;

const noteOf = (text: string): string => {
  const isNote = text.trim() !== '' && text.length <= LONGEST_NOTE && text.isWellFormed();
  if (!isNote) throw new InvalidArgumentError(`Say in at most ${LONGEST_NOTE} characters what was lost, and why.`);
  return text;
};

/** `checkpoint`: the signed checkpoint of the log. */
export const checkpointCommand = (context: CommandContext, exit: (status: ExitStatus) => void): Command =>
  new Command('checkpoint')
    .description('print a signed checkpoint of the log, for somebody to keep')
    .option('--accept-loss <note>', 'the log has lost events: go on under another origin, and keep this note', noteOf)
    .option('--json', 'print it as JSON')
    .addHelpText('after', EXAMPLES)
    .action(async ({ json, acceptLoss }: Options) => {
      const { terminal } = context;
      exit(
        await withLedger(context, async (ledger): Promise<E.Either<CommandFailure, ExitStatus>> => {
          const signed = await ledger.checkpoint(acceptLoss ?? null);
          if (E.isLeft(signed)) return signed;
          const { origin, size, root, note } = signed.right;
          if (acceptLoss !== undefined) terminal.note(`the log goes on as ${origin}\n`);
          terminal.out(
            json === true ? `${JSON.stringify({ origin, size, rootHash: root.toString('base64'), note })}\n` : note,
          );
          return E.right(0);
        }),
      );
    });
