import * as E from 'fp-ts/lib/Either.js';
import type { CommandContext, OpenLedger } from './command-context.ts';
import type { CommandFailure } from './command-failure.ts';
import { statusOf, type ExitStatus } from './exit-status.ts';

/** Opens the ledger for a command, closes it whatever happens, and turns a failure into its line and status. */
export const withLedger = async (
  { openLedger, terminal }: CommandContext,
  command: (ledger: OpenLedger) => Promise<E.Either<CommandFailure, ExitStatus>>,
): Promise<ExitStatus> => {
  const opened = await openLedger();
  if (E.isLeft(opened)) return statusOf(terminal, opened);
  try {
    return statusOf(terminal, await command(opened.right));
  } finally {
    await opened.right.store.close();
  }
};
