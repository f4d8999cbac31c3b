import { helpOf } from '../support/command-help.ts';

const block = (text: string): string => `\`\`\`text\n${text.trimEnd()}\n\`\`\``;

/** The commands that a help lists, in its order. */
const commandsIn = (help: string): readonly string[] =>
  [...(/^Commands:\n(.*?)(?:\n\n|$)/ms.exec(help)?.[1] ?? '').matchAll(/^ {2}([a-z]+)/gm)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'help');

/** Each command's help below a path of commands, one after the other. */
const helpsBelow = async (path: readonly string[]): Promise<readonly (readonly [string, string])[]> => {
  const help = await helpOf(path);
  const below = await Promise.all(commandsIn(help).map((name) => helpsBelow([...path, name])));
  return [[path.join(' '), help], ...below.flat()];
};

/** What every command prints with `--help`. */
export const commandsPage = async (): Promise<string> => {
  const [program, ...commands] = await helpsBelow([]);
  const parts = commands.map(([name, help]) => `## ${name}\n\n${block(help)}`);
  return `# Commands and options

\`ramp-ledger COMMAND\`, in a checkout \`npm run ledger -- COMMAND\`. What programs may rely on, exit statuses among it, is in [Command line](../spec/command-line.md).

${block(program?.[1] ?? '')}

${parts.join('\n\n')}
`;
};
