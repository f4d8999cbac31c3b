import { pipeline } from 'node:stream/promises';
import { isLeft } from 'fp-ts/lib/Either.js';
import type { Terminal } from './cli/command-context.ts';
import { failing } from './cli/command-failure.ts';
import { statusOf } from './cli/exit-status.ts';
import { isNullDevice } from './cli/null-device.ts';
import { refusedByMachine } from './cli/refused-by-machine.ts';
import { runCommandLine } from './cli/run-command-line.ts';
import { commandContext } from './composition/commands/command-context.ts';
import { endBehindOutput } from './composition/end-behind-output.ts';
import { madePool } from './composition/made-pool.ts';
import { tasksLeft } from './composition/tasks-left.ts';
import { exitProcess } from './loading/exit-process.ts';

const terminal: Terminal = {
  out: (text) => process.stdout.write(text),
  note: (text) => process.stderr.write(text),
  draw: (text) => process.stderr.write(text),
  // Standard output stays open: others may still write to it.
  pipeOut: (bytes) => pipeline(bytes, process.stdout, { end: false }),
  outIsLost: isNullDevice(1),
  input: () => process.stdin,
  interactive: process.stderr.isTTY,
  width: process.stdout.isTTY ? process.stdout.columns : null,
  coloured: process.stdout.isTTY && (process.env['NO_COLOR'] ?? '') === '',
};

// Whoever reads the output may have seen enough, as `head` has: the command ends its work, and its status says how. Where it
// can't be written, on a full disk say, nothing more of it can arrive.
process.stdout.on('error', (error) => {
  const code = 'code' in error ? String(error.code) : 'unknown error';
  if (code === 'EPIPE') return;
  process.stderr.write(`ramp-ledger: standard output can't be written (${code})\n`);
  exitProcess(1);
});
// There is nowhere left to say so.
process.stderr.on('error', () => undefined);
// Orders are personal data: what is written is for its owner only, whatever the shell would allow.
process.umask(0o077);
const pool = madePool(process.env, tasksLeft());
if (isLeft(pool)) process.exit(statusOf(terminal, pool));
try {
  process.exitCode = await runCommandLine(commandContext(process.env, terminal), process.argv.slice(2));
  endBehindOutput();
} catch (error) {
  const refused = refusedByMachine(error);
  if (refused === null) throw error;
  // At once: threads that were begun would go on, and nobody is there any more who could end them.
  exitProcess(statusOf(terminal, failing(1, refused)));
}
