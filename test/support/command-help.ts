import { either as E } from 'fp-ts';
import type { CommandContext } from '../../src/cli/command-context.ts';
import { runCommandLine } from '../../src/cli/run-command-line.ts';
import { newRequestId } from '../../src/composition/new-request-id.ts';
import { instantOf } from '../../src/domain/instant.ts';

/**
 * What a command prints with `--help`.
 *
 * @param path the command, word by word; empty for the program
 * @throws Error where there is no such command
 */
export const helpOf = async (path: readonly string[]): Promise<string> => {
  let said = '';
  const note = (text: string | Uint8Array): void => {
    said += String(text);
  };
  const unused = E.left({ status: 1 as const, line: 'not for help' });
  const context: CommandContext = {
    terminal: { out: note, note, interactive: false, coloured: false },
    now: () => instantOf(0),
    newRequestId,
    undoneWhenEnded: () => () => undefined,
    openLedger: () => Promise.resolve(unused),
    openForMigration: () => Promise.resolve(unused),
    openUpstream: () => Promise.resolve(unused),
    serve: () => Promise.resolve(unused),
    sandbox: () => Promise.resolve(unused),
    demo: () => Promise.resolve(unused),
    diagnose: () => Promise.resolve([]),
  };
  const status = await runCommandLine(context, [...path, '--help']);
  if (status !== 0) throw new Error(`${path.join(' ')} --help ended with ${status}: ${said}`);
  return said;
};
