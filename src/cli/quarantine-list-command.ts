import { Command } from 'commander';
import * as E from 'fp-ts/lib/Either.js';
import { member, type JsonObject } from '../domain/json.ts';
import { QUARANTINE_STATES } from '../domain/quarantine-state.ts';
import {
  QUARANTINE_LIST_PARAMETERS,
  quarantineList,
  parseQuarantineList,
} from '../queries/quarantine/quarantine-list.ts';
import { ask, parametersOf } from './answer.ts';
import { cellText } from './output/cell-text.ts';
import type { CommandContext } from './command-context.ts';
import type { CommandFailure } from './command-failure.ts';
import type { ExitStatus } from './exit-status.ts';
import { objectsOf } from './output/json-table.ts';
import { writeListPage } from './output/list-page.ts';
import { withLedger } from './with-ledger.ts';

type Options = { readonly state?: string; readonly limit?: string; readonly cursor?: string; readonly json?: true };

const EXAMPLES = `
Examples:
  ramp-ledger quarantine list               what could not be read, and why
  ramp-ledger quarantine list --state open  what waits for somebody
  ramp-ledger quarantine list --limit 10
  ramp-ledger quarantine list --json        as GET /v1/quarantine gives it
`;

const SHOWN = ['eventId', 'receivedAt', 'secretId', 'orderId', 'state', 'releasedAs', 'reasons'] as const;

/** Its reasons as one text: `orderId: expected a string; …`. */
const withReasonsAsText = (quarantined: JsonObject): JsonObject => ({
  ...quarantined,
  reasons: objectsOf(quarantined, 'reasons')
    .map((reason) =>
      ['path', 'message']
        .map((name) => member(reason, name))
        .filter((part) => part !== '')
        .map(cellText)
        .join(': '),
    )
    .join('; '),
});

/** `quarantine list`: what could not be read, in the order in which it came. */
export const quarantineListCommand = (context: CommandContext, exit: (status: ExitStatus) => void): Command =>
  new Command('list')
    .description('list deliveries that could not be read')
    .option('--state <state>', `what became of them: ${QUARANTINE_STATES.join(', ')}`)
    .option('--limit <n>', 'how many at the most: 1 to 500, 50 where nothing is said')
    .option('--cursor <cursor>', 'go on behind the page that named this cursor')
    .option('--json', 'print the HTTP resource')
    .addHelpText('after', EXAMPLES)
    .action(async ({ json, ...options }: Options) => {
      exit(
        await withLedger(context, async (ledger): Promise<E.Either<CommandFailure, ExitStatus>> => {
          const query = parametersOf(options, QUARANTINE_LIST_PARAMETERS);
          if (E.isLeft(query)) return query;
          const list = await ask(context, ledger, {
            parse: (deps) => parseQuarantineList(deps)(query.right),
            answer: (deps) => quarantineList(deps, 'masked'),
          });
          if (E.isLeft(list)) return list;
          writeListPage(context.terminal, list.right, {
            json: json === true,
            names: SHOWN,
            shown: withReasonsAsText,
          });
          return E.right(0);
        }),
      );
    });
