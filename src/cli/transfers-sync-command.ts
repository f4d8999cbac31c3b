import { Command } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { ChainFailure } from '../chain/chain-lookup.ts';
import { AT_COMMAND_LINE } from '../domain/own-event/own-metadata.ts';
import type { QueryFailure } from '../queries/failure/query-failure.ts';
import { syncTransfers, type TransfersSynced } from '../queries/transfers/sync-transfers.ts';
import { ask } from './answer.ts';
import type { CommandContext } from './command-context.ts';
import { failing, type CommandFailure } from './command-failure.ts';
import { statusOf, type ExitStatus } from './exit-status.ts';
import { withLedger } from './with-ledger.ts';

const HELP = `
Looks up the transaction of every order on the chains that CHAIN_RPC_URLS names, and notes the transfers in it: the chain's
own coin, and ERC-20 tokens. What is confirmed by 128 blocks is not looked up again.

Examples:
  CHAIN_RPC_URLS=137=https://polygon.example ramp-ledger transfers sync
  ramp-ledger transfers sync --json      {looked, found, missing, newTransfers, position}
`;

type Synced = E.Either<ChainFailure, TransfersSynced>;

/** A chain that fails is no failure of the question: it is told apart, since only this command knows chains. */
const apart = (synced: E.Either<QueryFailure | ChainFailure, TransfersSynced>): E.Either<QueryFailure, Synced> => {
  if (E.isRight(synced)) return E.right(synced);
  return synced.left._tag === 'ChainFailure' ? E.right(E.left(synced.left)) : E.left(synced.left);
};

/** `transfers sync`: looks up on chain what orders say was sent. */
export const transfersSyncCommand = (context: CommandContext, exit: (status: ExitStatus) => void): Command =>
  new Command('sync')
    .description('look up the transactions of orders on their chains')
    .option('--json', 'print the figures as JSON')
    .addHelpText('after', HELP)
    .action(async ({ json }: { readonly json?: true }) => {
      const { terminal, now, newRequestId, openChains } = context;
      const chains = await openChains();
      if (E.isLeft(chains)) {
        exit(statusOf(terminal, chains));
        return;
      }
      exit(
        await withLedger(context, async (ledger): Promise<E.Either<CommandFailure, ExitStatus>> => {
          const author = { by: AT_COMMAND_LINE, at: now(), requestId: newRequestId() };
          const onLooked = ({ looked, found }: TransfersSynced): void =>
            terminal.note(`${looked} transactions looked up, ${found} found\n`);
          const synced = await ask(context, ledger, {
            parse: () => TE.right(chains.right),
            answer: (deps) => (asked) => async () => apart(await syncTransfers(deps, asked, author, onLooked)),
          });
          if (E.isLeft(synced)) return synced;
          if (E.isLeft(synced.right)) {
            const { chainId, detail } = synced.right.left;
            return failing(1, `chain ${chainId} can't be asked: ${detail}`);
          }
          const { looked, found, missing, newTransfers } = synced.right.right;
          terminal.out(
            json === true
              ? `${JSON.stringify(synced.right.right)}\n`
              : `${looked} transactions looked up, ${found} found, ${missing} missing; ${newTransfers} new transfers\n`,
          );
          return E.right(0);
        }),
      );
    });
