import { Command } from 'commander';
import { FLOWS } from '../domain/flow.ts';
import { FAULTS } from '../sandbox/fault.ts';
import { MONEY_FAULTS } from '../sandbox/money/money-fault.ts';
import { NAMED_PATHS } from '../sandbox/path.ts';
import type { CommandContext } from './command-context.ts';
import { done, statusOf, type ExitStatus } from './exit-status.ts';
import type { SandboxOptions } from './sandbox-options.ts';

/** What each of some faults does, on a line each. */
const linesOf = (faults: Readonly<Record<string, string>>): string => {
  const longest = Math.max(...Object.keys(faults).map(({ length }) => length));
  return Object.entries(faults)
    .map(([name, does]) => `  ${name.padEnd(longest)}  ${does}`)
    .join('\n');
};

const pathLines = FLOWS.flatMap((flow) =>
  [...NAMED_PATHS[flow]].map(
    ([name, path]) =>
      `  ${flow.padEnd(8)} ${name.padEnd(21)} ${path.map(({ status, payout }) => (payout === null ? status : `${status}+utr${payout}`)).join(' → ')}`,
  ),
);

const HELP = `
Faults of deliveries:
${linesOf(FAULTS)}

Faults of bank files and chains (one order in six has one of those that are asked for; all: each of them):
${linesOf(MONEY_FAULTS)}

Paths that have a name (any list of statuses is one too; utr1 is the payout reference of the first attempt):
${pathLines.join('\n')}

Days of bank files are those of BUSINESS_TIME_ZONE (UTC where it is not set): give it the ledger's.

While it runs, it is told by HTTP:
  POST /sandbox/orders      {flow, path, …fields}; faults: [NAME, …] for this order alone; answers {orderId}
  POST /sandbox/clock       {advanceSeconds}; orders that are pending for more than three hours expire
  POST /sandbox/run         {orders, rate, days, faults}, as the options; GET tells how far it is
  GET  /sandbox/deliveries  the latest 10,000: what was sent, when, what was answered, and how many were dropped
  GET  /sandbox/expected    what a ledger must report of all that it took: the totals of GET /v1/reports/…
  GET  /sandbox/bank        bank files that fit its orders: ?by=day or month, &through=2026-03-31, &format=camt.053, mt940 or csv
  GET  /sandbox/bank/NAME   one of them; /sandbox/bank/profile is the profile of those that are CSV
  GET  /sandbox/bank/expected  what a ledger that took files and transfers must find, item by item
  GET  /sandbox/chain/137/transfers  an explorer's file of that chain; POST /sandbox/chain/137 is a node (JSON-RPC)
  POST /v1/users/login, GET /v1/users/refresh-token, GET /v1/users/me, GET /v1/orders, GET /.well-known/jwks.json

Examples:
  ramp-ledger sandbox --target http://127.0.0.1:8080 --secret-file data/webhook-secret --orders 300 --days 30
  ramp-ledger sandbox --target http://127.0.0.1:8080 --secret-file data/webhook-secret --rate 500 --fault duplicates --fault shuffle
  SANDBOX_WEBHOOK_SECRET=… ramp-ledger sandbox --port 8090 --target https://ledger.example.com/v1/webhooks --seed 7 --orders 20
  ramp-ledger sandbox --target http://127.0.0.1:8080 --secret-file data/webhook-secret --orders 300 --days 30 --money-fault all --bank-dir bank
  CHAIN_RPC_URLS=137=http://127.0.0.1:8090/sandbox/chain/137 ramp-ledger transfers sync
  curl -H 'Content-Type: application/json' -d '{"flow":"onramp","path":"refund","fiat":2500}' http://127.0.0.1:8090/sandbox/orders
  curl -H 'Content-Type: application/json' -d '{"flow":"onramp","path":["fiatPending"]}' http://127.0.0.1:8090/sandbox/orders
  curl -H 'Content-Type: application/json' -d '{"advanceSeconds":10801}' http://127.0.0.1:8090/sandbox/clock
`;

const another = (name: string, names: readonly string[] = []): readonly string[] => [...names, name];

/** `sandbox`: a stand-in for the provider, until SIGTERM or SIGINT. */
export const sandboxCommand = (context: CommandContext, exit: (status: ExitStatus) => void): Command =>
  new Command('sandbox')
    .description('stand in for the provider: its endpoints, and orders whose webhooks it delivers')
    .option('--port <n>', 'where it listens; else PORT, else 8090; 0 is any that is free')
    .option('--target <url>', 'where webhooks go; without a path to /v1/webhooks; without this option none are sent')
    .option('--secret-file <file>', 'what webhooks are signed with; else SANDBOX_WEBHOOK_SECRET')
    .option('--orders <n>', 'play so many orders, on every path in turn; without end where only --rate is given')
    .option('--rate <n>', 'webhooks a second; as many as the target takes where nothing is said')
    .option('--days <n>', 'orders of the last so many days; where nothing is said, they happen now')
    .option('--seed <text>', 'ids, amounts and paths follow from it; a new one at each start where nothing is said')
    .option('--fault <name>', 'a fault of all deliveries; may come several times', another)
    .option('--money-fault <name>', 'a fault of bank files and chains, or all; may come several times', another)
    .option(
      '--bank-dir <folder>',
      'write bank files, transfers and what must be found there, when all is played and at the end',
    )
    .option('--tries <n>', 'give up after so many tries; never where nothing is said')
    .option('--at-once <n>', 'orders on their way at the same time: 64, or 1 for one order after the other')
    .option('--start-at <instant>', 'a clock that stands still there until it is advanced')
    .addHelpText('after', HELP)
    .action(async (options: SandboxOptions) => {
      exit(statusOf(context.terminal, done(await context.sandbox(options))));
    });
