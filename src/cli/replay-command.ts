import { Command } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import { epochMsOf } from '../domain/instant.ts';
import type { CommandContext } from './command-context.ts';
import type { CommandFailure } from './command-failure.ts';
import type { ExitStatus } from './exit-status.ts';
import { progressBar } from './output/progress-bar.ts';
import { withLedger } from './with-ledger.ts';
import { soMany } from '../domain/so-many.ts';

type Options = { readonly json?: true };

const EXAMPLES = `
Examples:
  ramp-ledger replay           build the read models anew from the log; queries go on meanwhile
  ramp-ledger replay --json    {events, orders, eventsPerSecond}
`;

/** `replay`: builds fresh read models beside the serving ones and takes them into use. */
export const replayCommand = (context: CommandContext, exit: (status: ExitStatus) => void): Command =>
  new Command('replay')
    .description('build the read models anew from the log')
    .option('--json', 'print the figures as JSON')
    .addHelpText('after', EXAMPLES)
    .action(async ({ json }: Options) => {
      const { terminal, now } = context;
      exit(
        await withLedger(context, async (ledger): Promise<E.Either<CommandFailure, ExitStatus>> => {
          const bar = progressBar(terminal, 'replay', now);
          const startedAt = epochMsOf(now());
          const built = await ledger.replay(bar.onProgress).finally(bar.stop);
          if (E.isLeft(built)) return built;
          const { events, orders } = built.right;
          const eventsPerSecond = Math.round((events * 1000) / Math.max(1, epochMsOf(now()) - startedAt));
          terminal.out(
            json === true
              ? `${JSON.stringify({ events, orders, eventsPerSecond })}\n`
              : `${soMany(events, 'event')} of ${soMany(orders, 'order')} replayed, ${eventsPerSecond} a second; the new read models serve\n`,
          );
          return E.right(0);
        }),
      );
    });
