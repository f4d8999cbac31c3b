import { Command } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { isEventId } from '../domain/ids.ts';
import { AT_COMMAND_LINE, type Author } from '../domain/own-event/own-metadata.ts';
import { illFormed } from '../queries/failure/query-failure.ts';
import { ClosedResource, closeQuarantined, reopenQuarantined } from '../queries/quarantine/close-quarantined.ts';
import { ask } from './answer.ts';
import { cellText } from './output/cell-text.ts';
import type { CommandContext } from './command-context.ts';
import { commandFailure, failing, type CommandFailure } from './command-failure.ts';
import type { ExitStatus } from './exit-status.ts';
import { withLedger } from './with-ledger.ts';

type Options = { readonly note: string; readonly json?: true };

const CLOSE_EXAMPLES = `
Examples:
  ramp-ledger quarantine close 5d1c6f0e-2f6f-5c4b-9c39-1f6b1f0a7c55 --note 'a test of theirs, says their ticket 4711'
`;

const REOPEN_EXAMPLES = `
Examples:
  ramp-ledger quarantine reopen 5d1c6f0e-2f6f-5c4b-9c39-1f6b1f0a7c55 --note 'it was an order after all'
`;

type Deed = { readonly id: string; readonly options: Options; readonly perform: typeof closeQuarantined };

/** Does something about a delivery, through whoever serves where somebody does, and says how it stands. */
const done = (context: CommandContext, { id, options, perform }: Deed): Promise<ExitStatus> =>
  withLedger(context, async (ledger): Promise<E.Either<CommandFailure, ExitStatus>> => {
    const { now, newRequestId, terminal } = context;
    const { note, json } = options;
    if (note.trim() === '') return E.left(commandFailure(illFormed('note', 'a text that says why')));
    if (!isEventId(id)) return failing(1, `${cellText(id)}: there is no such delivery in quarantine`);
    const author: Author = { by: AT_COMMAND_LINE, at: now(), requestId: newRequestId() };
    const answer = await ask(context, ledger, {
      parse: () => TE.right(id),
      answer: (deps) => (eventId) => pipe(perform(deps, eventId, note, author), TE.map(ClosedResource.encode)),
    });
    if (E.isLeft(answer)) return answer;
    const { eventId, closed } = answer.right;
    terminal.out(
      json === true
        ? `${JSON.stringify(answer.right)}\n`
        : closed === null
          ? `${eventId} is open again\n`
          : `${eventId} is closed: ${cellText(closed.note)} (${closed.by}, ${closed.at})\n`,
    );
    return E.right(0);
  });

/** `quarantine close ID`: nothing more is to be done about a delivery. */
export const quarantineCloseCommand = (context: CommandContext, exit: (status: ExitStatus) => void): Command =>
  new Command('close')
    .description('close a delivery that nothing more is to be done about')
    .argument('<id>', 'the event id that `quarantine list` shows')
    .requiredOption('--note <text>', 'why')
    .option('--json', 'print the HTTP resource')
    .addHelpText('after', CLOSE_EXAMPLES)
    .action(async (id: string, options: Options) => {
      exit(await done(context, { id, options, perform: closeQuarantined }));
    });

/** `quarantine reopen ID`: a closed delivery is to be looked at again. */
export const quarantineReopenCommand = (context: CommandContext, exit: (status: ExitStatus) => void): Command =>
  new Command('reopen')
    .description('open a closed delivery again')
    .argument('<id>', 'the event id that `quarantine list --state closed` shows')
    .requiredOption('--note <text>', 'why')
    .option('--json', 'print the HTTP resource')
    .addHelpText('after', REOPEN_EXAMPLES)
    .action(async (id: string, options: Options) => {
      exit(await done(context, { id, options, perform: reopenQuarantined }));
    });
