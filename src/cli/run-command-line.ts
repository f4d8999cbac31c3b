import { Command, CommanderError } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import type { CommandContext } from './command-context.ts';
import { COMMANDS, type MakeCommand } from './commands.ts';
import type { ExitStatus } from './exit-status.ts';
import { fitTerminal } from './output/fit-terminal.ts';

const HELP = `
Configuration comes from the environment (HOST, PORT, DATA_DIR, WEBHOOK_SECRETS, …); docs/reference lists it.
Commands work beside a serving ledger and without one. Exit status: 0 done, 1 found or met something wrong,
2 wrong usage or configuration.
`;

/** It knows all the others. */
const COMPLETION = 'completion';

/** In place of an error in the arguments of `migrate`, which would repeat them, and with them a password. */
const UNREPEATED =
  'error: the arguments of migrate are wrong (they are not shown here, since a URL may hold a password); see ramp-ledger migrate --help\n';

const nameOf = (command: Command): string =>
  command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;

const UNKNOWN = 'error: unknown option ';

/** An option that nobody knows, without what was given to it: of one that is misspelt that may be a password, or personal data. */
const withoutValue = (text: string): string => {
  const [at, end] = [text.indexOf('='), text.lastIndexOf("'")];
  return text.startsWith(UNKNOWN) && at !== -1 && at < end ? text.slice(0, at) + text.slice(end) : text;
};

/** What is wrong, with where it is said how it is right, in one line. */
const oneLine = (text: string, command: Command): string => {
  const lines = text.split('\n').map((line) => line.trim());
  return `${lines.filter((line) => line !== '').join(' ')} – see ${nameOf(command)} --help\n`;
};

/** The one that is called; all of them where none is, or where it says what there is. */
const wanted = (args: readonly string[]): Promise<readonly MakeCommand[]> => {
  const [name = ''] = args;
  const called = name !== COMPLETION && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  return Promise.all((called === undefined ? Object.values(COMMANDS) : [called]).map((load) => load()));
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
  for (const make of await wanted(args)) program.addCommand(make(context, exit));
  for (const command of withSubcommands(program)) {
    command.exitOverride().configureOutput({
      writeOut: terminal.out,
      writeErr: terminal.note,
      outputError: (text, write) => write(args.includes('migrate') ? UNREPEATED : oneLine(withoutValue(text), command)),
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
