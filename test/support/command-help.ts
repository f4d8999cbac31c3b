import { runCommandLine } from '../../src/cli/run-command-line.ts';
import { contextOf, gatheringTerminal } from './gathering-terminal.ts';

/**
 * What a command prints with `--help`.
 *
 * @param path the command, word by word; empty for the program
 * @throws Error where there is no such command
 */
export const helpOf = async (path: readonly string[]): Promise<string> => {
  const { terminal, out, err } = gatheringTerminal();
  const status = await runCommandLine(contextOf(terminal), [...path, '--help']);
  if (status !== 0) throw new Error(`${path.join(' ')} --help ended with ${status}: ${err()}`);
  return out() + err();
};
