import { Command } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { adjustmentList, type AdjustmentPage } from '../queries/periods/adjustment-list.ts';
import { PERIOD_LIST_PARAMETERS } from '../queries/periods/periods.ts';
import { monthNamed } from '../queries/periods/read-period.ts';
import { ask, parametersOf } from './answer.ts';
import { cellText } from './output/cell-text.ts';
import { columns } from './output/columns.ts';
import type { CommandContext } from './command-context.ts';
import type { CommandFailure } from './command-failure.ts';
import type { ExitStatus } from './exit-status.ts';
import { withLedger } from './with-ledger.ts';

type Options = { readonly limit?: string; readonly cursor?: string; readonly pii?: true; readonly json?: true };

const EXAMPLES = `
Examples:
  ramp-ledger period adjustments 2026-03
  ramp-ledger period adjustments 2026-03 --json    as GET /v1/periods/2026-03/adjustments gives it
`;

const stateText = (state: { readonly phase: string; readonly fiat: string } | null): string =>
  state === null ? 'not in it' : `${state.phase} ${state.fiat}`;

const page = ({ data }: AdjustmentPage): string =>
  data.length === 0
    ? 'nothing has changed since\n'
    : data
        .map(({ flow, basis, currency, measures, orders }) =>
          [
            `${flow}, by day of ${basis === 'created' ? 'creation' : 'settlement'}, ${cellText(currency)}\n`,
            columns(
              [
                ['measure', 'closed', 'now', 'difference'],
                ...Object.entries(measures).map(([name, of]) => [
                  cellText(name),
                  String(of.closed),
                  String(of.now),
                  String(of.difference),
                ]),
              ],
              ['text', 'number', 'number', 'number'],
            ),
            columns([
              ['order', 'closed', 'now', 'events since'],
              ...orders.map(({ orderId, closed, now, eventIds }) => [
                cellText(orderId),
                stateText(closed),
                stateText(now),
                String(eventIds.length),
              ]),
            ]),
          ].join(''),
        )
        .join('\n');

/** `period adjustments MONTH`: what is known now of a closed month against what was closed. */
export const periodAdjustmentsCommand = (context: CommandContext, exit: (status: ExitStatus) => void): Command =>
  new Command('adjustments')
    .description('show what has changed in a closed month, down to the orders')
    .argument('<month>', 'as 2026-03')
    .option('--limit <n>', 'reports and currencies at the most')
    .option('--cursor <cursor>', 'go on behind the page before')
    .option('--pii', 'show e-mail addresses in currencies and statuses unmasked')
    .option('--json', 'print the HTTP resource')
    .addHelpText('after', EXAMPLES)
    .action(async (name: string, { json, pii, ...options }: Options) => {
      exit(
        await withLedger(context, async (ledger): Promise<E.Either<CommandFailure, ExitStatus>> => {
          const query = parametersOf(options, PERIOD_LIST_PARAMETERS);
          if (E.isLeft(query)) return query;
          const list = await ask(context, ledger, {
            parse: () => TE.fromEither(monthNamed(name)),
            answer: (deps) => (month) => adjustmentList(deps, pii === true ? 'shown' : 'masked', month)(query.right),
          });
          if (E.isLeft(list)) return list;
          context.terminal.out(json === true ? `${JSON.stringify(list.right)}\n` : page(list.right));
          if (json !== true && list.right.next !== null)
            context.terminal.note(`there is more: --cursor ${list.right.next}\n`);
          return E.right(0);
        }),
      );
    });
