import { Command } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { FLOWS } from '../domain/flow.ts';
import type { TooManyRows } from '../queries/failure/query-failure.ts';
import type { Query } from '../queries/parameters/parameters.ts';
import {
  parseReport,
  report,
  REPORT_PARAMETERS,
  type ReportForms,
  type ReportFormat,
} from '../queries/reports/report.ts';
import { bothFlows, parseBothFlows, type BothFlows } from '../queries/reports/both-flows.ts';
import { ask, parametersOf } from './answer.ts';
import type { CommandContext, OpenLedger } from './command-context.ts';
import { failing, type CommandFailure } from './command-failure.ts';
import type { ExitStatus } from './exit-status.ts';
import { oneOfArgument } from './one-of-argument.ts';
import { reportPage } from './output/report-page.ts';
import { withLedger } from './with-ledger.ts';

type Options = {
  readonly from?: string;
  readonly to?: string;
  readonly basis?: string;
  readonly groupBy?: string;
  readonly currency?: string;
  readonly asOf?: string;
  readonly period?: string;
  readonly format?: string;
  readonly json?: true;
};

const EXAMPLES = `
Examples:
  ramp-ledger report onramp --from 2026-01-01 --to 2026-01-31 --group-by day
  ramp-ledger report offramp --basis settled --group-by month,token
  ramp-ledger report onramp --format csv > onramp.csv    as GET /v1/reports/onramp?format=csv gives it
  ramp-ledger report onramp --format xlsx > onramp.xlsx  a workbook with typed cells
  ramp-ledger report both --format xlsx > both.xlsx      both flows in one workbook
  ramp-ledger report onramp --as-of 2026-02-01T00:00:00Z what was known when January was over
  ramp-ledger report onramp --json                       as GET /v1/reports/onramp gives it
`;

type Form = ReportFormat | 'page';

const written = (
  form: Form,
  { resource, json, csv, xlsx }: ReportForms,
  width: number | null,
): TE.TaskEither<TooManyRows, string | Buffer> => {
  if (form === 'xlsx') return xlsx;
  // A file, whose line ends are its own.
  if (form === 'csv') return TE.right(Buffer.from(csv()));
  return TE.right(form === 'json' ? `${json()}\n` : reportPage(resource(), width));
};

const REPORTED = [...FLOWS, 'both'] as const;

const bothAsked = async (
  context: CommandContext,
  ledger: OpenLedger,
  { format, period, ...query }: Query<typeof REPORT_PARAMETERS>,
): Promise<E.Either<CommandFailure, BothFlows>> => {
  if (format !== 'xlsx') return failing(2, 'both flows come as a workbook: add --format xlsx');
  if (period !== null)
    return failing(2, `of a month as it was closed: ramp-ledger period workbook ${period} --out FILE`);
  return ask(context, ledger, {
    parse: (deps) => parseBothFlows(deps)(query),
    answer: (deps) => bothFlows(deps, 'masked'),
  });
};

/** `report onramp|offramp|both`: sums over orders, as a table, CSV or JSON. */
export const reportCommand = (context: CommandContext, exit: (status: ExitStatus) => void): Command =>
  new Command('report')
    .description('sum up the orders of a flow')
    .addArgument(oneOfArgument('<flow>', 'what to report on; both as a workbook alone', REPORTED))
    .option('--from <day>', 'the first business day')
    .option('--to <day>', 'the last business day')
    .option('--basis <basis>', 'the day that counts: created (usual) or settled')
    .option('--group-by <keys>', 'of day, month, currency, token, chain, separated by commas')
    .option('--currency <code>', 'rows and totals of this currency alone')
    .option('--period <month>', 'a month: as it was closed, or, while it is open, what it is now')
    .option('--as-of <moment>', 'what was known at a position or an instant')
    .option('--format <format>', 'csv, xlsx or json; a table where nothing is said')
    .option('--json', 'print the HTTP resource')
    .addHelpText('after', EXAMPLES)
    .action(async (flow: (typeof REPORTED)[number], { json, ...options }: Options) => {
      exit(
        await withLedger(context, async (ledger): Promise<E.Either<CommandFailure, ExitStatus>> => {
          const query = parametersOf(options, REPORT_PARAMETERS);
          if (E.isLeft(query)) return query;
          const { format } = query.right;
          if (json === true && format !== null && format !== 'json') {
            return failing(2, `--json and --format ${format} are two forms; ask for one`);
          }
          if (flow === 'both') {
            const wanted = await bothAsked(context, ledger, query.right);
            if (E.isLeft(wanted)) return wanted;
            context.terminal.out(wanted.right.xlsx);
            return E.right(0);
          }
          const text = await ask(context, ledger, {
            parse: (deps) => parseReport(deps, flow)(query.right),
            answer: (deps) => (question) =>
              pipe(
                report(deps, 'masked')(question),
                TE.chainW((forms) =>
                  written(json === true ? 'json' : (format ?? 'page'), forms, context.terminal.width),
                ),
              ),
          });
          if (E.isLeft(text)) return text;
          context.terminal.out(text.right);
          return E.right(0);
        }),
      );
    });
