import { Command } from 'commander';
import type { CommandContext } from './command-context.ts';
import { doctorPage } from './output/doctor-page.ts';
import type { ExitStatus } from './exit-status.ts';

type Options = { readonly json?: true };

const EXAMPLES = `
Examples:
  ramp-ledger doctor           what is configured, what it can reach, and what to do about each thing that is wrong
  ramp-ledger doctor --json    {checks: [{name, ok, detail, cure}]}

It changes nothing, beside a serving ledger or without one, and ends within ten seconds or so. Where UPSTREAM_BASE_URL is
set, it logs in to the provider once. Exit status 1 if anything is wrong, a variable among it: that is what it is for.
`;

const NOTE = 'looking at the stores, the clock and the provider …';
const CLEAR_LINE = '\r\u001B[K';

/** `doctor`: says what is configured, what it can reach, and what to do about each thing that is wrong. */
export const doctorCommand = ({ terminal, diagnose }: CommandContext, exit: (status: ExitStatus) => void): Command =>
  new Command('doctor')
    .description('check configuration, stores, spool, read models, secrets, clock, disk and the login upstream')
    .option('--json', 'print the checks as JSON')
    .addHelpText('after', EXAMPLES)
    .action(async ({ json }: Options) => {
      if (terminal.interactive) terminal.draw(NOTE);
      const checks = await diagnose().finally(() => {
        if (terminal.interactive) terminal.draw(CLEAR_LINE);
      });
      terminal.out(json === true ? `${JSON.stringify({ checks })}\n` : doctorPage(checks, terminal.coloured));
      exit(checks.every(({ ok }) => ok) ? 0 : 1);
    });
