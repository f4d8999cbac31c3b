import { Command, CommanderError } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { auditCommand } from './audit-command.ts';
import { backupCommand } from './backup-command.ts';
import { checkpointCommand } from './checkpoint-command.ts';
import type { CommandContext } from './command-context.ts';
import { completionCommand } from './completion-command.ts';
import { demoCommand } from './demo-command.ts';
import { doctorCommand } from './doctor-command.ts';
import { evidenceCommand } from './evidence-command.ts';
import type { ExitStatus } from './exit-status.ts';
import { fitTerminal } from './fit-terminal.ts';
import { exportCommand } from './export-command.ts';
import { importCommand } from './import-command.ts';
import { migrateCommand } from './migrate-command.ts';
import { orderCommand } from './order-command.ts';
import { ordersCommand } from './orders-command.ts';
import { periodCommand } from './period-command.ts';
import { quarantineCommand } from './quarantine-command.ts';
import { reconcileCommand } from './reconcile-command.ts';
import { replayCommand } from './replay-command.ts';
import { reportCommand } from './report-command.ts';
import { restoreCommand } from './restore-command.ts';
import { sandboxCommand } from './sandbox-command.ts';
import { serveCommand } from './serve-command.ts';
import { statementCommand } from './statement-command.ts';
import { tokenCommand } from './token-command.ts';
import { transfersCommand } from './transfers-command.ts';
import { upstreamCommand } from './upstream-command.ts';
import { verifyEvidenceCommand } from './verify-evidence-command.ts';
import { verifyCommand } from './verify-command.ts';

const HELP = `
Configuration comes from the environment (HOST, PORT, DATA_DIR, WEBHOOK_SECRETS, …); docs/reference lists it.
Commands work beside a serving ledger and without one. Exit status: 0 done, 1 found or met something wrong,
2 wrong usage or configuration.
`;

const COMMANDS = [
  serveCommand,
  ordersCommand,
  orderCommand,
  auditCommand,
  reportCommand,
  reconcileCommand,
  periodCommand,
  exportCommand,
  importCommand,
  statementCommand,
  transfersCommand,
  quarantineCommand,
  replayCommand,
  verifyCommand,
  checkpointCommand,
  evidenceCommand,
  verifyEvidenceCommand,
  backupCommand,
  restoreCommand,
  migrateCommand,
  doctorCommand,
  tokenCommand,
  upstreamCommand,
  sandboxCommand,
  demoCommand,
  completionCommand,
];

/** In place of an error in the arguments of `migrate`, which would repeat them, and with them a password. */
const UNREPEATED =
  'error: the arguments of migrate are wrong (they are not shown here, since a URL may hold a password); see ramp-ledger migrate --help\n';

const nameOf = (command: Command): string =>
  command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;

/** What is wrong, with where it is said how it is right, in one line. */
const oneLine = (text: string, command: Command): string => {
  const lines = text.split('\n').map((line) => line.trim());
  return `${lines.filter((line) => line !== '').join(' ')} – see ${nameOf(command)} --help\n`;
};

const withSubcommands = (command: Command): readonly Command[] => [
  command,
  ...command.commands.flatMap(withSubcommands),
];

/**
 * Runs the command that the arguments name (docs/spec/command-line.md).
 * @param args what follows the program's name
 */
export const runCommandLine = async (given: CommandContext, args: readonly string[]): Promise<ExitStatus> => {
  const terminal = fitTerminal(given.terminal);
  const context = { ...given, terminal };
  let status: ExitStatus = 0;
  const exit = (ended: ExitStatus): void => {
    status = ended;
  };
  const program = new Command('ramp-ledger')
    .description('A provable ledger of on-ramp and off-ramp orders, fed by signed webhooks.')
    .version(packageJson.version, '--version', 'print the version')
    .addHelpText('after', HELP)
    .showSuggestionAfterError()
    .enablePositionalOptions();
  for (const command of COMMANDS) program.addCommand(command(context, exit));
  for (const command of withSubcommands(program)) {
    command.exitOverride().configureOutput({
      writeOut: terminal.out,
      writeErr: terminal.note,
      outputError: (text, write) => write(args.includes('migrate') ? UNREPEATED : oneLine(text, command)),
    });
  }
  try {
    await program.parseAsync(args, { from: 'user' });
    return status;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  }
};
