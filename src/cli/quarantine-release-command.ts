import { Command } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { isEventId } from '../domain/ids.ts';
import type { Recorded } from '../ledger/recorded.ts';
import { replyBody } from '../ledger/reply-body.ts';
import { release } from '../queries/quarantine/release.ts';
import { ask } from './answer.ts';
import { cellText } from './output/cell-text.ts';
import type { CommandContext } from './command-context.ts';
import { failing, type CommandFailure } from './command-failure.ts';
import type { ExitStatus } from './exit-status.ts';
import { withLedger } from './with-ledger.ts';

type Options = { readonly json?: true };

const EXAMPLES = `
Examples:
  ramp-ledger quarantine release 5d1c6f0e-2f6f-5c4b-9c39-1f6b1f0a7c55
  ramp-ledger quarantine release 5d1c6f0e-2f6f-5c4b-9c39-1f6b1f0a7c55 --json    as a delivery is answered
`;

const failed = (id: string, line: string): E.Either<CommandFailure, never> => failing(1, `${cellText(id)}: ${line}`);

const page = ({ outcome, orderId, event: { eventId, revision } }: Recorded): string =>
  `${outcome}: event ${eventId}, revision ${revision} of order ${cellText(orderId)}\n`;

/** `quarantine release ID`: decides a delivery again, by the id of its event; it goes to its order, or stays where it is. */
export const quarantineReleaseCommand = (context: CommandContext, exit: (status: ExitStatus) => void): Command =>
  new Command('release')
    .description("decide a delivery again by today's rules; exit status 1 if it still can't be read")
    .argument('<id>', 'the event id that `quarantine list` shows')
    .option('--json', 'print what a delivery is answered')
    .addHelpText('after', EXAMPLES)
    .action(async (id: string, { json }: Options) => {
      const { terminal, newRequestId } = context;
      exit(
        await withLedger(context, async (ledger): Promise<E.Either<CommandFailure, ExitStatus>> => {
          if (!isEventId(id)) return failed(id, 'there is no such delivery in quarantine');
          const released = await ask(context, ledger, {
            parse: () => TE.right(id),
            answer: (deps) => (eventId) => release(deps, eventId, newRequestId()),
          });
          if (E.isLeft(released)) return failed(id, released.left.line);
          if (json === true) terminal.out(`${replyBody(released.right)}\n`);
          if (released.right.outcome === 'quarantined') return failed(id, "it still can't be read, and stays there");
          if (json !== true) terminal.out(page(released.right));
          return E.right(0);
        }),
      );
    });
