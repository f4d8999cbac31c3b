import { Command } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { QueryFailure } from '../queries/failure/query-failure.ts';
import type { PeriodResource } from '../queries/periods/period-resource.ts';
import { onePeriod } from '../queries/periods/periods.ts';
import { monthNamed } from '../queries/periods/read-period.ts';
import type { Readiness } from '../queries/periods/readiness-check.ts';
import { readiness } from '../queries/periods/readiness.ts';
import { ask } from './answer.ts';
import { cellText } from './output/cell-text.ts';
import { columns } from './output/columns.ts';
import type { CommandContext } from './command-context.ts';
import type { CommandFailure } from './command-failure.ts';
import type { ExitStatus } from './exit-status.ts';
import { withLedger } from './with-ledger.ts';

type Options = { readonly pii?: true; readonly json?: true };

const EXAMPLES = `
Examples:
  ramp-ledger period show 2026-03
  ramp-ledger period show 2026-03 --json    as GET /v1/periods/2026-03 gives it
`;

/** A month for people: what was done to it, and, while it is open, what is left to do. */
export const periodPage = (period: PeriodResource, found: Readiness | null): string => {
  const facts: readonly (readonly [string, string])[] = [
    ['month', period.period],
    ['state', period.state],
    ['time zone', period.timeZone],
    ...(period.reports === null
      ? []
      : ([
          ['closed', `${period.closedAt} by ${cellText(period.closedBy)}`],
          ['position', cellText(period.position)],
          ['on-ramp report', `SHA-256 ${period.reports.onramp.sha256}`],
          ['off-ramp report', `SHA-256 ${period.reports.offramp.sha256}`],
          ['adjusted since', period.adjusted ? 'yes' : 'no'],
        ] as const)),
  ];
  const history = period.history.map(({ at, by, what, note }) => [at, what, cellText(by), cellText(note)]);
  const checks = found === null ? [] : found.checks.map(({ name, ok, detail }) => [ok ? 'ok' : 'not ok', name, detail]);
  return [columns(facts), ...[history, checks].filter((rows) => rows.length > 0).map((rows) => columns(rows))].join(
    '\n',
  );
};

/** `period show MONTH`: one month, and how far it is from being closed. */
export const periodShowCommand = (context: CommandContext, exit: (status: ExitStatus) => void): Command =>
  new Command('show')
    .description('show a month, and what is left to do before it is closed')
    .argument('<month>', 'as 2026-03')
    .option('--pii', 'show e-mail addresses in notes unmasked')
    .option('--json', 'print the HTTP resource')
    .addHelpText('after', EXAMPLES)
    .action(async (name: string, { json, pii }: Options) => {
      exit(
        await withLedger(context, async (ledger): Promise<E.Either<CommandFailure, ExitStatus>> => {
          const shown = await ask(context, ledger, {
            parse: () => TE.fromEither(monthNamed(name)),
            answer: (deps) => (month) =>
              pipe(
                onePeriod(deps, pii === true ? 'shown' : 'masked', month),
                TE.bindTo('period'),
                TE.bind('found', ({ period }): TE.TaskEither<QueryFailure, Readiness | null> =>
                  period.state === 'closed' || json === true ? TE.right(null) : readiness(deps, month),
                ),
              ),
          });
          if (E.isLeft(shown)) return shown;
          const { period, found } = shown.right;
          context.terminal.out(json === true ? `${JSON.stringify(period)}\n` : periodPage(period, found));
          return E.right(0);
        }),
      );
    });
