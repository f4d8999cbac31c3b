import { Command } from 'commander';
import {
  importTransfers,
  MOST_TRANSFER_BYTES,
  TRANSFER_IMPORT_PARAMETERS,
} from '../queries/transfers/import-transfers.ts';
import type { CommandContext } from './command-context.ts';
import type { ExitStatus } from './exit-status.ts';
import { importFile } from './import-file.ts';
import { transfersSyncCommand } from './transfers-sync-command.ts';
import { soMany } from '../domain/so-many.ts';

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
      exit(
        await importFile(context, {
          file,
          mostBytes: MOST_TRANSFER_BYTES,
          options,
          table: TRANSFER_IMPORT_PARAMETERS,
          take: importTransfers,
          inTurn: false,
          shown: (answer) =>
            json === true
              ? `${JSON.stringify(answer)}\n`
              : `${soMany(answer.transfers, 'transfer')}, ${answer.newTransfers} of them new\n`,
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
