import { Command } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import { OPEN_STATES } from '../../projections/match/match-item.ts';
import { RECONCILIATION_PARAMETERS } from '../queries/reconciliation/reconciliation-parameters.ts';
import {
  parseReconciliation,
  reconciliation,
  ReconciliationResource,
} from '../queries/reconciliation/reconciliation.ts';
import { ask, parametersOf } from './answer.ts';
import { columns } from './output/columns.ts';
import type { CommandContext } from './command-context.ts';
import type { CommandFailure } from './command-failure.ts';
import type { ExitStatus } from './exit-status.ts';
import { withLedger } from './with-ledger.ts';

type Options = {
  readonly from?: string;
  readonly to?: string;
  readonly currency?: string;
  readonly flow?: string;
  readonly account?: string;
  readonly json?: true;
};

const EXAMPLES = `
Examples:
  ramp-ledger reconcile                                      what is matched, what is open, since when, how much
  ramp-ledger reconcile --from 2026-03-01 --to 2026-03-31    a month
  ramp-ledger reconcile --currency INR --json                as GET /v1/reconciliation gives it
`;

const HEADER = ['flow', 'currency', 'state', 'items', 'fiat', '0-1', '2-3', '4-7', '8-30', '30+'] as const;

const page = ({ rows }: ReconciliationResource): string =>
  rows.length === 0
    ? 'there is nothing to match\n'
    : columns([
        [...HEADER],
        ...rows.map(({ flow, currency, state, items, fiat, ageing }) => [
          flow ?? '-',
          currency ?? '-',
          state,
          String(items),
          fiat,
          String(ageing['0-1']),
          String(ageing['2-3']),
          String(ageing['4-7']),
          String(ageing['8-30']),
          String(ageing['30+']),
        ]),
      ]);

/** `reconcile`: the summary of the match; exit status 1 where anything in the filter is unmatched, ambiguous or a break. */
export const reconcileCommand = (context: CommandContext, exit: (status: ExitStatus) => void): Command =>
  new Command('reconcile')
    .description('match orders with bank lines and transfers; exit status 1 where anything is open')
    .option('--from <day>', 'the first business day')
    .option('--to <day>', 'the last business day')
    .option('--currency <code>', 'one currency')
    .option('--flow <flow>', 'onramp or offramp')
    .option('--account <account>', 'items with a line of this account')
    .option('--json', 'print the HTTP resource')
    .addHelpText('after', EXAMPLES)
    .action(async ({ json, ...options }: Options) => {
      exit(
        await withLedger(context, async (ledger): Promise<E.Either<CommandFailure, ExitStatus>> => {
          const query = parametersOf(options, RECONCILIATION_PARAMETERS);
          if (E.isLeft(query)) return query;
          const summary = await ask(context, ledger, {
            parse: (deps) => parseReconciliation(deps)(query.right),
            answer: (deps) => reconciliation(deps, 'masked'),
          });
          if (E.isLeft(summary)) return summary;
          const { out } = context.terminal;
          out(
            json === true ? `${JSON.stringify(ReconciliationResource.encode(summary.right))}\n` : page(summary.right),
          );
          return E.right(summary.right.rows.some(({ state }) => OPEN_STATES.has(state)) ? 1 : 0);
        }),
      );
    });
