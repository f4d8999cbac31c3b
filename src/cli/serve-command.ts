import { Command } from 'commander';
import type { CommandContext } from './command-context.ts';
import { done, statusOf, type ExitStatus } from './exit-status.ts';

const EXAMPLES = `
Examples:
  ramp-ledger serve                                 on 127.0.0.1:8080, with ./data, and a generated secret and key
  PORT=9000 DATA_DIR=/var/lib/ledger ramp-ledger serve
  HOST=0.0.0.0 WEBHOOK_SECRETS_FILE=/run/secrets/webhook API_KEYS_FILE=/run/secrets/keys ramp-ledger serve
`;

/** `serve`: the ledger itself, until SIGTERM or SIGINT. */
export const serveCommand = (context: CommandContext, exit: (status: ExitStatus) => void): Command =>
  new Command('serve')
    .description('receive webhooks and answer queries')
    .addHelpText('after', EXAMPLES)
    .action(async () => {
      exit(statusOf(context.terminal, done(await context.serve())));
    });
