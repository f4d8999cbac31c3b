import * as E from 'fp-ts/lib/Either.js';
import { cellText } from './output/cell-text.ts';
import type { Terminal } from './command-context.ts';
import type { CommandFailure } from './command-failure.ts';

/**
 * How a command ended: done; found or met something wrong; wrong usage or configuration (docs/spec/command-line.md,
 * Exit statuses).
 */
export type ExitStatus = 0 | 1 | 2;

/** The status that a command ends with; of a failure its line is written first, in one line whatever it names: names of files may have line ends. */
export const statusOf = ({ note }: Pick<Terminal, 'note'>, ended: E.Either<CommandFailure, ExitStatus>): ExitStatus => {
  if (E.isRight(ended)) return ended.right;
  note(`ramp-ledger: ${cellText(ended.left.line)}\n`);
  return ended.left.status;
};

/** The end of a command that has nothing more to say: done, or its failure. */
export const done = E.map((): ExitStatus => 0);
