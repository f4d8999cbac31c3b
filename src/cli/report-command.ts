import { Argument, Command } from 'commander';
import { either as E, taskEither as TE } from 'fp-ts';
import { pipe } from 'fp-ts/lib/function.js';
import { report, reportFormat, type ReportForms } from '../api/report.ts';
import { FLOWS, type Flow } from '../domain/flow.ts';
import { askWith, parametersOf } from './answer.ts';
import type { CommandContext, CommandFailure, ExitStatus } from './command-context.ts';
import { reportPage } from './report-page.ts';
import { withLedger } from './with-ledger.ts';

type Options = {
  readonly from?: string;
  readonly to?: string;
  readonly basis?: string;
  readonly groupBy?: string;
  readonly format?: string;
  readonly json?: true;
};

const EXAMPLES = `
Examples:
  ramp-ledger report onramp --from 2026-01-01 --to 2026-01-31 --group-by day
  ramp-ledger report offramp --basis settled --group-by month,token
  ramp-ledger report onramp --format csv > onramp.csv    as GET /v1/reports/onramp?format=csv gives it
  ramp-ledger report onramp --json                       as GET /v1/reports/onramp gives it
`;

type Form = 'json' | 'csv' | 'page';

const written = (form: Form, { json, csv }: ReportForms): string => {
  if (form === 'csv') return csv();
  return form === 'json' ? `${JSON.stringify(json())}\n` : reportPage(json());
};

/** `report onramp|offramp`: sums over orders, as a table, CSV or JSON. */
export const reportCommand = (context: CommandContext, exit: (status: ExitStatus) => void): Command =>
  new Command('report')
    .description('sum up the orders of a flow')
    .addArgument(new Argument('<flow>', 'what to report on').choices(FLOWS))
    .option('--from <day>', 'the first business day')
    .option('--to <day>', 'the last business day')
    .option('--basis <basis>', 'the day that counts: created (usual) or settled')
    .option('--group-by <keys>', 'of day, month, currency, token, chain, separated by commas')
    .option('--format <format>', 'csv or json; a table where nothing is said')
    .option('--json', 'print the HTTP resource')
    .addHelpText('after', EXAMPLES)
    .action(async (flow: Flow, { json, ...options }: Options) => {
      const parameters = parametersOf(options);
      exit(
        await withLedger(context, async (ledger): Promise<E.Either<CommandFailure, ExitStatus>> => {
          if (json === true && options.format === 'csv') {
            return E.left({ status: 2, line: '--json and --format csv are two forms; ask for one' });
          }
          const forms = await askWith(context, ledger, (deps) =>
            pipe(
              TE.fromEither(reportFormat(parameters)),
              TE.bindTo('format'),
              TE.bind('forms', () => report(deps, flow)(parameters, 'masked')),
            ),
          );
          if (E.isLeft(forms)) return forms;
          const { format } = forms.right;
          context.terminal.out(written(json === true ? 'json' : (format ?? 'page'), forms.right.forms));
          return E.right(0);
        }),
      );
    });
