import { Command } from 'commander';
import { either as E } from 'fp-ts';
import { auditEntry } from '../api/resources/audit-entry.ts';
import { verifyEvent } from '../ledger/verify-event.ts';
import { cellText } from './cell-text.ts';
import { columns } from './columns.ts';
import type { CommandContext, CommandFailure, ExitStatus } from './command-context.ts';
import { eventsOf } from './order-argument.ts';
import { withLedger } from './with-ledger.ts';

type Options = { readonly json?: true };

const EXAMPLES = `
Examples:
  ramp-ledger audit ord-1001           what was received for the order, each event verified now
  ramp-ledger audit ord-1001 --json    as GET /v1/orders/ord-1001/audit gives it
`;

const SHOWN = ['revision', 'type', 'status', 'utr', 'receivedAt', 'secretId', 'verified', 'bodySha256'] as const;

/** `audit ID`: the audit entries of one order, signature and digest of each computed anew. */
export const auditCommand = (context: CommandContext, exit: (status: ExitStatus) => void): Command =>
  new Command('audit')
    .description('show the audit trail of an order, each event verified anew')
    .argument('<id>', 'the order id')
    .option('--json', 'print the HTTP resource')
    .addHelpText('after', EXAMPLES)
    .action(async (id: string, { json }: Options) => {
      exit(
        await withLedger(context, async (ledger): Promise<E.Either<CommandFailure, ExitStatus>> => {
          const events = await eventsOf(ledger, id);
          if (E.isLeft(events)) return events;
          const entries = events.right.map((event) =>
            auditEntry(event, (recorded) => verifyEvent(recorded, ledger.secretKey)),
          );
          context.terminal.out(
            json === true
              ? `${JSON.stringify({ data: entries, next: null })}\n`
              : columns([SHOWN, ...entries.map((entry) => SHOWN.map((name) => cellText(entry[name])))]),
          );
          return E.right(0);
        }),
      );
    });
