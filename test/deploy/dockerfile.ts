import { repositoryFile } from '../support/repository-file.ts';

/** An instruction of a Dockerfile: `COPY`, and what follows on its line. */
export type Instruction = { readonly name: string; readonly rest: string };

/** The instructions of the Dockerfile, in their order, without comments. */
export const dockerfile = (): readonly Instruction[] =>
  repositoryFile('Dockerfile')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => /^[A-Z]/.test(line))
    .map((line) => ({ name: line.split(' ', 1)[0] ?? '', rest: line.slice(line.indexOf(' ') + 1).trim() }));

/** What follows each instruction of a name. */
export const instructions = (name: string): readonly string[] =>
  dockerfile()
    .filter((instruction) => instruction.name === name)
    .map(({ rest }) => rest);

/** The variables that the image sets. */
export const dockerfileEnvironment = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    instructions('ENV').flatMap((line) => [...line.matchAll(/(\w+)=(\S+)/g)].map(([, k = '', v = '']) => [k, v])),
  );
