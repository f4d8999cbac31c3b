import type { Command } from 'commander';
import type { OwnedResources } from './owned-resources.ts';

/** What every benchmark's command is made with. */
type BenchContext = {
  readonly owned: OwnedResources;
  /** Takes a line of progress. */
  readonly note: (line: string) => void;
};

/** A benchmark's command; how it is set up comes from the program that it becomes a part of. */
export type BenchCommand = (command: Command, context: BenchContext) => Command;

/** Every benchmark prints its figures as a table, or as JSON and nothing else on standard output. */
export const printResult = <A>(result: A, json: boolean, table: (result: A) => string): void => {
  process.stdout.write(json ? `${JSON.stringify(result)}\n` : `\n${table(result)}\n`);
};
