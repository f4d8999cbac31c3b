import { Command } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Month } from '../domain/month.ts';
import { AT_COMMAND_LINE, type Author } from '../domain/own-event/own-metadata.ts';
import { illFormed, type InvalidParameter, type QueryFailure } from '../queries/failure/query-failure.ts';
import type { PersonalData } from '../queries/masking/personal-data.ts';
import { closePeriod, type CloseDependencies } from '../queries/periods/close-period.ts';
import { onePeriod } from '../queries/periods/periods.ts';
import { monthNamed } from '../queries/periods/read-period.ts';
import { CHECK_NAMES, type CheckName } from '../queries/periods/readiness-check.ts';
import { reopenPeriod } from '../queries/periods/reopen-period.ts';
import { ask } from './answer.ts';
import type { CommandContext } from './command-context.ts';
import type { CommandFailure } from './command-failure.ts';
import type { ExitStatus } from './exit-status.ts';
import { periodPage } from './period-show-command.ts';
import { withLedger } from './with-ledger.ts';

type Options = { readonly note?: string; readonly despite?: string; readonly pii?: true; readonly json?: true };

const CLOSE_EXAMPLES = `
Checks: ${CHECK_NAMES.join(', ')}

Examples:
  ramp-ledger period close 2026-03 --note 'signed off by A. Rao'
  ramp-ledger period close 2026-03 --despite quarantine,clock-anomalies --note 'asked the provider'
`;

const REOPEN_EXAMPLES = `
Examples:
  ramp-ledger period reopen 2026-03 --note 'the provider has corrected a rate'
`;

const checksIn = (text: string): E.Either<InvalidParameter, readonly CheckName[]> => {
  const names = text.split(',').filter((name) => name !== '');
  const known = names.flatMap((name) => CHECK_NAMES.find((check) => check === name) ?? []);
  return known.length === names.length
    ? E.right(known)
    : E.left(illFormed('despite', `any of ${CHECK_NAMES.join(', ')}, separated by commas`));
};

type Deed<Asked> = {
  readonly name: string;
  readonly personal: PersonalData;
  readonly json: boolean;
  readonly parse: (month: Month) => E.Either<InvalidParameter, Asked>;
  readonly perform: (
    deps: CloseDependencies,
    month: Month,
    asked: Asked,
    author: Author,
  ) => TE.TaskEither<QueryFailure, void>;
};

/** Does something to a month in the log, through whoever serves where somebody does, and shows the month. */
const done = <Asked>(
  context: CommandContext,
  { name, personal, json, parse, perform }: Deed<Asked>,
): Promise<ExitStatus> =>
  withLedger(context, async (ledger): Promise<E.Either<CommandFailure, ExitStatus>> => {
    const { now, newRequestId, terminal } = context;
    const author: Author = { by: AT_COMMAND_LINE, at: now(), requestId: newRequestId() };
    const period = await ask(context, ledger, {
      parse: () =>
        TE.fromEither(
          pipe(
            monthNamed(name),
            E.bindTo('month'),
            E.bind('asked', ({ month }) => parse(month)),
          ),
        ),
      answer:
        (deps) =>
        ({ month, asked }) => {
          // What is appended meanwhile, by whoever serves, is not of this state, and nothing to wait for.
          const head = deps.readModels.progress().checkpoint?.position ?? null;
          const ofOneState = { ...deps, store: { ...deps.store, head: () => TE.right(head) } };
          return pipe(
            perform(ofOneState, month, asked, author),
            TE.chain(() => onePeriod(ofOneState, personal, month)),
          );
        },
    });
    if (E.isLeft(period)) return period;
    terminal.out(json ? `${JSON.stringify(period.right)}\n` : periodPage(period.right, null));
    return E.right(0);
  });

/** `period close MONTH`: fixes the figures of a month for good. */
export const periodCloseCommand = (context: CommandContext, exit: (status: ExitStatus) => void): Command =>
  new Command('close')
    .description('close a month: its figures never change from then on')
    .argument('<month>', 'as 2026-03')
    .option('--note <text>', 'what is to be remembered of the close')
    .option('--despite <checks>', 'checks that may be not well, separated by commas')
    .option('--pii', 'show e-mail addresses in notes unmasked')
    .option('--json', 'print the HTTP resource')
    .addHelpText('after', CLOSE_EXAMPLES)
    .action(async (name: string, { note = '', despite = '', pii, json }: Options) => {
      const status = await done(context, {
        name,
        personal: pii === true ? 'shown' : 'masked',
        json: json === true,
        parse: () => checksIn(despite),
        perform: (deps, month, checks, author) => closePeriod(deps, month, { note, despite: checks }, author),
      });
      if (status === 0 && despite !== '' && note.trim() === '') {
        context.terminal.note(`closed despite ${despite}, and nothing says why: --note does\n`);
      }
      exit(status);
    });

/** `period reopen MONTH`: opens the latest closed month again. */
export const periodReopenCommand = (context: CommandContext, exit: (status: ExitStatus) => void): Command =>
  new Command('reopen')
    .description('open the latest closed month again')
    .argument('<month>', 'as 2026-03')
    .requiredOption('--note <text>', 'why')
    .option('--pii', 'show e-mail addresses in notes unmasked')
    .option('--json', 'print the HTTP resource')
    .addHelpText('after', REOPEN_EXAMPLES)
    .action(async (name: string, { note = '', pii, json }: Options) => {
      exit(
        await done(context, {
          name,
          personal: pii === true ? 'shown' : 'masked',
          json: json === true,
          parse: () =>
            note.trim() === '' ? E.left(illFormed('note', 'a text that is not blank')) : E.right(undefined),
          perform: (deps, month, _asked, author) => reopenPeriod(deps, month, note, author),
        }),
      );
    });
