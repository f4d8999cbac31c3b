import { Command, InvalidArgumentError } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import type { Order } from '../../projections/order-state/index.ts';
import { orderFrom } from '../queries/orders/one-order.ts';
import { orderResource } from '../queries/orders/order-resource.ts';
import type { CommandContext } from './command-context.ts';
import { commandFailure, failing, type CommandFailure } from './command-failure.ts';
import type { ExitStatus } from './exit-status.ts';
import { eventsOf } from './order-argument.ts';
import { orderPage } from './output/order-page.ts';
import { withLedger } from './with-ledger.ts';

type Options = { readonly json?: true; readonly pii?: true; readonly revision?: number };

const EXAMPLES = `
Examples:
  ramp-ledger order ord-1001                 the order as it is now
  ramp-ledger order ord-1001 --revision 2    as of its third event
  ramp-ledger order ord-1001 --json --pii    as GET /v1/orders/ord-1001 gives it, unmasked
`;

const revisionOf = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 0.');
  return Number(text);
};

/** `order ID`: one order, always current with its stream. */
export const orderCommand = (context: CommandContext, exit: (status: ExitStatus) => void): Command =>
  new Command('order')
    .description('show one order: its state, payouts and anomalies')
    .argument('<id>', 'the order id')
    .option('--revision <n>', 'as of this revision of its stream', revisionOf)
    .option('--pii', 'show personal data unmasked')
    .option('--json', 'print the HTTP resource')
    .addHelpText('after', EXAMPLES)
    .action(async (id: string, { json, pii, revision }: Options) => {
      const personal = pii === true ? 'shown' : 'masked';
      const show = (order: Order): string => {
        const resource = orderResource(order, personal);
        return json === true ? `${JSON.stringify(resource)}\n` : orderPage(resource);
      };
      exit(
        await withLedger(context, async (ledger): Promise<E.Either<CommandFailure, ExitStatus>> => {
          const events = await eventsOf(ledger, id);
          if (E.isLeft(events)) return events;
          const order = orderFrom(events.right, revision ?? null, context.now());
          if (E.isLeft(order)) return failing(1, `order ${id}: ${commandFailure(order.left).line}`);
          context.terminal.out(show(order.right));
          return E.right(0);
        }),
      );
    });
