import { Command } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { PERIOD_LIST_PARAMETERS, periodList } from '../queries/periods/periods.ts';
import { ask, parametersOf } from './answer.ts';
import type { CommandContext } from './command-context.ts';
import type { CommandFailure } from './command-failure.ts';
import type { ExitStatus } from './exit-status.ts';
import { writeListPage } from './output/list-page.ts';
import { withLedger } from './with-ledger.ts';

type Options = { readonly limit?: string; readonly cursor?: string; readonly pii?: true; readonly json?: true };

const NAMES = ['period', 'state', 'closedAt', 'closedBy', 'adjusted', 'note'] as const;

const EXAMPLES = `
Examples:
  ramp-ledger period list
  ramp-ledger period list --json    as GET /v1/periods gives it
`;

/** `period list`: every month from the first with figures to the current one, newest first. */
export const periodListCommand = (context: CommandContext, exit: (status: ExitStatus) => void): Command =>
  new Command('list')
    .description('list months, newest first')
    .option('--limit <n>', 'months at the most')
    .option('--cursor <cursor>', 'go on behind the page before')
    .option('--pii', 'show e-mail addresses in notes unmasked')
    .option('--json', 'print the HTTP resource')
    .addHelpText('after', EXAMPLES)
    .action(async ({ json, pii, ...options }: Options) => {
      exit(
        await withLedger(context, async (ledger): Promise<E.Either<CommandFailure, ExitStatus>> => {
          const query = parametersOf(options, PERIOD_LIST_PARAMETERS);
          if (E.isLeft(query)) return query;
          const list = await ask(context, ledger, {
            parse: () => TE.right(query.right),
            answer: (deps) => periodList(deps, pii === true ? 'shown' : 'masked'),
          });
          if (E.isLeft(list)) return list;
          writeListPage(context.terminal, list.right, { json: json === true, names: NAMES });
          return E.right(0);
        }),
      );
    });
