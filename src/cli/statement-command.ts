import { Command } from 'commander';
import type { CommandContext } from './command-context.ts';
import type { ExitStatus } from './exit-status.ts';
import { statementImportCommand } from './statement-import-command.ts';
import { statementLinesCommand, statementListCommand } from './statement-list-commands.ts';
import { statementProfileCommand } from './statement-profile-command.ts';

const EXAMPLES = `
Examples:
  ramp-ledger statement import camt053-2026-03.xml    a bank file, whole or not at all
  ramp-ledger statement list                          what was imported
`;

/** `statement import|list|lines|profile`: bank files, which orders are held against. */
export const statementCommand = (context: CommandContext, exit: (status: ExitStatus) => void): Command =>
  new Command('statement')
    .description('import bank files, and look at their lines')
    .addHelpText('after', EXAMPLES)
    .addCommand(statementImportCommand(context, exit))
    .addCommand(statementListCommand(context, exit))
    .addCommand(statementLinesCommand(context, exit))
    .addCommand(statementProfileCommand(context, exit));
