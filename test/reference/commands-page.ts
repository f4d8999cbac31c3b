import type { Command } from 'commander';
import { COMMANDS } from '../../src/cli/commands.ts';
import { helpOf } from '../support/command-help.ts';
import { contextOf, gatheringTerminal } from '../support/gathering-terminal.ts';

const block = (text: string): string => `\`\`\`text\n${text.trimEnd()}\n\`\`\``;

/** A command and those below it, each word by word, in the order of help. */
const pathsOf = (command: Command, above: readonly string[] = []): readonly (readonly string[])[] => {
  const path = [...above, command.name()];
  return [path, ...command.commands.flatMap((one) => pathsOf(one, path))];
};

const allCommands = async (): Promise<readonly Command[]> => {
  const { terminal } = gatheringTerminal();
  const makers = await Promise.all(Object.values(COMMANDS).map((load) => load()));
  return makers.map((make) => make(contextOf(terminal), () => undefined));
};

const sectionOf = async (path: readonly string[]): Promise<string> =>
  `## ${path.join(' ')}\n\n${block(await helpOf(path))}`;

/** What every command prints with `--help`. */
export const commandsPage = async (): Promise<string> => {
  const paths = (await allCommands()).flatMap((command) => pathsOf(command));
  const sections = await Promise.all(paths.map(sectionOf));
  return `# Commands and options

\`ramp-ledger COMMAND\`, in a checkout \`npm run ledger -- COMMAND\`. What programs may rely on, exit statuses among it, is in [Command line](../spec/command-line.md).

${block(await helpOf([]))}

${sections.join('\n\n')}
`;
};
