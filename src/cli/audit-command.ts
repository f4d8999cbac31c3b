import { Command } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import type { JsonObject } from '../domain/json.ts';
import { verifyEvent } from '../ledger/verify-event.ts';
import { verifiedEntryResource } from '../queries/trail/audit-entry-resource.ts';
import { AUDIT_LIST_PARAMETERS, auditList, parseAuditList } from '../queries/trail/audit-list.ts';
import { ask, parametersOf } from './answer.ts';
import type { CommandContext, OpenLedger } from './command-context.ts';
import { failing, type CommandFailure } from './command-failure.ts';
import type { ExitStatus } from './exit-status.ts';
import { writeListPage } from './output/list-page.ts';
import { eventsOf } from './order-argument.ts';
import { withLedger } from './with-ledger.ts';

type ListOptions = {
  readonly from?: string;
  readonly to?: string;
  readonly type?: string;
  readonly q?: string;
  readonly limit?: string;
  readonly cursor?: string;
  readonly verify?: true;
};

type Options = ListOptions & { readonly json?: true };

const EXAMPLES = `
Examples:
  ramp-ledger audit ord-1001                            what was received for the order, each event verified now
  ramp-ledger audit ord-1001 --json                     as GET /v1/orders/ord-1001/audit gives it
  ramp-ledger audit --from 2026-01-01 --type OffRampFiatFailed
  ramp-ledger audit --q 412345678901 --verify --json    as GET /v1/audit?q=412345678901&verify=true gives it
`;

const OF_ORDER = ['revision', 'type', 'status', 'utr', 'receivedAt', 'secretId', 'verified', 'bodySha256'] as const;

const OF_LIST = ['position', 'receivedAt', 'type', 'orderId', 'revision', 'status', 'utr', 'secretId'] as const;

/** The entries of one order, signature and digest of each computed anew. */
const ofOrder = async (
  ledger: OpenLedger,
  id: string,
  { verify: _always, ...choosing }: ListOptions,
): Promise<E.Either<CommandFailure, JsonObject>> => {
  const [option] = Object.keys(choosing);
  if (option !== undefined) {
    return failing(2, `--${option} is for the list; all entries of an order are shown`);
  }
  return E.map((events: readonly Parameters<typeof verifiedEntryResource>[0][]) => ({
    data: events.map((event) => verifiedEntryResource(event, verifyEvent(event, ledger.secretKey), 'masked')),
    next: null,
  }))(await eventsOf(ledger, id));
};

/** `audit [ID]`: the audit entries of one order, each verified anew, or those of all orders and the quarantine. */
export const auditCommand = (context: CommandContext, exit: (status: ExitStatus) => void): Command =>
  new Command('audit')
    .description('show the audit trail, of one order or of the whole ledger')
    .argument('[id]', 'an order id: its entries, each event verified anew')
    .option('--from <time>', 'received from this instant or business day on')
    .option('--to <time>', 'received up to this instant or business day')
    .option('--type <type>', 'events of this type, OnRampCompleted say')
    .option('--q <text>', 'an order id, event id, utr, body digest or request id, exactly')
    .option('--limit <n>', 'how many at the most: 1 to 500, 50 where nothing is said')
    .option('--cursor <cursor>', 'go on behind the page that named this cursor')
    .option('--verify', 'compute signature and digest of each event anew')
    .option('--json', 'print the HTTP resource')
    .addHelpText('after', EXAMPLES)
    .action(async (id: string | undefined, { json, ...options }: Options) => {
      exit(
        await withLedger(context, async (ledger): Promise<E.Either<CommandFailure, ExitStatus>> => {
          const query = parametersOf(options, AUDIT_LIST_PARAMETERS);
          if (E.isLeft(query)) return query;
          const list =
            id === undefined
              ? await ask(context, ledger, {
                  parse: (deps) => parseAuditList(deps)(query.right),
                  answer: (deps) => auditList(deps, 'masked'),
                })
              : await ofOrder(ledger, id, options);
          if (E.isLeft(list)) return list;
          const names =
            id === undefined ? [...OF_LIST, ...(options.verify === true ? ['verified'] : []), 'bodySha256'] : OF_ORDER;
          writeListPage(context.terminal, list.right, { json: json === true, names });
          return E.right(0);
        }),
      );
    });
