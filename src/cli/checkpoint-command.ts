import { Command } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import type { CommandContext } from './command-context.ts';
import type { CommandFailure } from './command-failure.ts';
import type { ExitStatus } from './exit-status.ts';
import { withLedger } from './with-ledger.ts';

type Options = { readonly json?: true };

const EXAMPLES = `
Examples:
  ramp-ledger checkpoint > kept.txt            the signed checkpoint of all events of now
  ramp-ledger checkpoint --json                {origin, size, rootHash, note}
  ramp-ledger verify --checkpoint kept.txt     later: does the log still contain all of it?

Whoever keeps a checkpoint can tell, for ever, whether an event before it was taken out, changed or put in between.
`;

/** `checkpoint`: the signed checkpoint of the log. */
export const checkpointCommand = (context: CommandContext, exit: (status: ExitStatus) => void): Command =>
  new Command('checkpoint')
    .description('print a signed checkpoint of the log, for somebody to keep')
    .option('--json', 'print it as JSON')
    .addHelpText('after', EXAMPLES)
    .action(async ({ json }: Options) => {
      const { terminal } = context;
      exit(
        await withLedger(context, async (ledger): Promise<E.Either<CommandFailure, ExitStatus>> => {
          const signed = await ledger.checkpoint();
          if (E.isLeft(signed)) return signed;
          const { origin, size, root, note } = signed.right;
          terminal.out(
            json === true ? `${JSON.stringify({ origin, size, rootHash: root.toString('base64'), note })}\n` : note,
          );
          return E.right(0);
        }),
      );
    });
