import { commandContext } from '../../src/composition/commands/command-context.ts';
import { runCommandLine } from '../../src/cli/run-command-line.ts';
import { startLedger } from '../../src/composition/ledger/start-ledger.ts';
import * as E from 'fp-ts/lib/Either.js';
import { gatheringTerminal } from './gathering-terminal.ts';
import type { Finished, LedgerEnvironment } from './ledger-process.ts';

/**
 * Runs a command in this process, as `ledgerProcesses` runs it in one of its own, at a tenth of the cost: what is tested by it
 * is the command, and not how the program starts and ends. `serve` ends at once where it could start.
 */
export const runHere = async (
  args: readonly string[],
  env: LedgerEnvironment,
  stdin: Buffer = Buffer.alloc(0),
): Promise<Finished> => {
  const { terminal, out, err } = gatheringTerminal({ stdin });
  const context = commandContext(env, terminal);
  const serve = async (): ReturnType<typeof context.serve> => {
    const started = await startLedger(env);
    if (E.isLeft(started)) return started;
    await started.right.stop();
    return E.right(undefined);
  };
  const status = await runCommandLine({ ...context, serve }, args);
  return { status, signal: null, out: out(), err: err() };
};
