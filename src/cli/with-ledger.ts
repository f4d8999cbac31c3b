import { either as E } from 'fp-ts';
import type { CommandContext, CommandFailure, ExitStatus, OpenLedger } from './command-context.ts';

/** Opens the ledger for a command, closes it whatever happens, and turns a failure into its line and status. */
export const withLedger = async (
  { openLedger, terminal }: CommandContext,
  command: (ledger: OpenLedger) => Promise<E.Either<CommandFailure, ExitStatus>>,
): Promise<ExitStatus> => {
  const opened = await openLedger();
  if (E.isLeft(opened)) return failed(terminal, opened.left);
  try {
    const ended = await command(opened.right);
    return E.isLeft(ended) ? failed(terminal, ended.left) : ended.right;
  } finally {
    await opened.right.store.close();
  }
};

const failed = (terminal: CommandContext['terminal'], { line, status }: CommandFailure): ExitStatus => {
  terminal.note(`ramp-ledger: ${line}\n`);
  return status;
};
