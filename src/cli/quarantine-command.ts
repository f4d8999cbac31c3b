import { Command } from 'commander';
import type { CommandContext } from './command-context.ts';
import type { ExitStatus } from './exit-status.ts';
import { quarantineCloseCommand, quarantineReopenCommand } from './quarantine-close-command.ts';
import { quarantineListCommand } from './quarantine-list-command.ts';
import { quarantineReleaseCommand } from './quarantine-release-command.ts';

const EXAMPLES = `
Examples:
  ramp-ledger quarantine list --state open                             what could not be read, and why
  ramp-ledger quarantine release 5d1c6f0e-2f6f-5c4b-9c39-1f6b1f0a7c55  decide it again by today's rules
  ramp-ledger quarantine close 5d1c6f0e-2f6f-5c4b-9c39-1f6b1f0a7c55 --note 'a test of theirs'
`;

/** `quarantine list|release|close|reopen`: authentic deliveries that no order event could be read from. */
export const quarantineCommand = (context: CommandContext, exit: (status: ExitStatus) => void): Command =>
  new Command('quarantine')
    .description('list deliveries that could not be read, release or close them')
    .addHelpText('after', EXAMPLES)
    .addCommand(quarantineListCommand(context, exit))
    .addCommand(quarantineReleaseCommand(context, exit))
    .addCommand(quarantineCloseCommand(context, exit))
    .addCommand(quarantineReopenCommand(context, exit));
