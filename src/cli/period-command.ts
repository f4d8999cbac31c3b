import { Command } from 'commander';
import type { CommandContext } from './command-context.ts';
import type { ExitStatus } from './exit-status.ts';
import { periodAdjustmentsCommand } from './period-adjustments-command.ts';
import { periodCloseCommand, periodReopenCommand } from './period-close-command.ts';
import { periodListCommand } from './period-list-command.ts';
import { periodShowCommand } from './period-show-command.ts';
import { periodWorkbookCommand } from './period-workbook-command.ts';

const EXAMPLES = `
Examples:
  ramp-ledger period list                                     months, and which of them are closed
  ramp-ledger period show 2026-03                             one month, and what is left to do before it is closed
  ramp-ledger period close 2026-03 --note 'signed off'        fix its figures for good
  ramp-ledger period adjustments 2026-03                      what came after, down to the orders
  ramp-ledger period reopen 2026-03 --note 'wrong rate'       open the latest closed month again
  ramp-ledger period workbook 2026-03 --out march.xlsx        a closed month for the accountant
`;

/** `period list|show|close|reopen|adjustments|workbook`: months that are closed for good. */
export const periodCommand = (context: CommandContext, exit: (status: ExitStatus) => void): Command =>
  new Command('period')
    .description('close months, and see what came after')
    .addHelpText('after', EXAMPLES)
    .addCommand(periodListCommand(context, exit))
    .addCommand(periodShowCommand(context, exit))
    .addCommand(periodCloseCommand(context, exit))
    .addCommand(periodReopenCommand(context, exit))
    .addCommand(periodAdjustmentsCommand(context, exit))
    .addCommand(periodWorkbookCommand(context, exit));
