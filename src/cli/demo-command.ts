import { Command } from 'commander';
import type { CommandContext } from './command-context.ts';
import { done, statusOf, type ExitStatus } from './exit-status.ts';

const HELP = `
It takes PORT (the ledger's; else any that is free) and DATA_DIR (else ./demo-data), and of all other variables none but
BUSINESS_TIME_ZONE and LOG_LEVEL: it has nothing to do with a ledger that is configured.

Examples:
  ramp-ledger demo
  PORT=9000 DATA_DIR=/tmp/demo ramp-ledger demo
`;

/** `demo`: a ledger with a sandbox provider beside it, until SIGTERM or SIGINT. */
export const demoCommand = (context: CommandContext, exit: (status: ExitStatus) => void): Command =>
  new Command('demo')
    .description('show it all: a ledger, and a sandbox that plays orders of every path into it')
    .addHelpText('after', HELP)
    .action(async () => {
      exit(statusOf(context.terminal, done(await context.demo())));
    });
