import { Command } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { AT_COMMAND_LINE } from '../domain/own-event/own-metadata.ts';
import { importTransfers, TRANSFER_IMPORT_PARAMETERS } from '../queries/transfers/import-transfers.ts';
import { ask, parametersOf } from './answer.ts';
import type { CommandContext } from './command-context.ts';
import type { CommandFailure } from './command-failure.ts';
import type { ExitStatus } from './exit-status.ts';
import { fileBytes } from './file-bytes.ts';
import { transfersSyncCommand } from './transfers-sync-command.ts';
import { withLedger } from './with-ledger.ts';

type Options = {
  readonly chainId?: string;
  readonly token?: string;
  readonly decimals?: string;
  readonly json?: true;
};

const EXAMPLES = `
Examples:
  ramp-ledger transfers import export-token.csv --chain-id 137    Etherscan's token export
  ramp-ledger transfers import transfers.ndjson --json            {transfers, newTransfers, position}
`;

const importCommand = (context: CommandContext, exit: (status: ExitStatus) => void): Command =>
  new Command('import')
    .description("note transfers: an explorer's CSV, or NDJSON")
    .argument('<file>', 'the file')
    .option('--chain-id <id>', 'the chain, where the file names none')
    .option('--token <address>', "the token's contract, where the file names none")
    .option('--decimals <n>', 'how many decimals the token has, where the file does not say')
    .option('--json', 'print the HTTP resource')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, { json, ...options }: Options) => {
      const { terminal, now, newRequestId } = context;
      exit(
        await withLedger(context, async (ledger): Promise<E.Either<CommandFailure, ExitStatus>> => {
          const query = parametersOf(options, TRANSFER_IMPORT_PARAMETERS);
          if (E.isLeft(query)) return query;
          const bytes = fileBytes(file);
          if (E.isLeft(bytes)) return bytes;
          const author = { by: AT_COMMAND_LINE, at: now(), requestId: newRequestId() };
          const imported = await ask(context, ledger, {
            parse: () => TE.right(query.right),
            answer: (deps) => (asked) => importTransfers(deps, asked, bytes.right, author),
          });
          if (E.isLeft(imported)) return imported;
          const { transfers, newTransfers } = imported.right;
          terminal.out(
            json === true
              ? `${JSON.stringify(imported.right)}\n`
              : `${transfers} transfers, ${newTransfers} of them new\n`,
          );
          return E.right(0);
        }),
      );
    });

/** `transfers`: what was seen on chain. */
export const transfersCommand = (context: CommandContext, exit: (status: ExitStatus) => void): Command =>
  new Command('transfers')
    .description('bring in transfers that were seen on chain, or look them up')
    .addHelpText('after', EXAMPLES)
    .addCommand(importCommand(context, exit))
    .addCommand(transfersSyncCommand(context, exit));
