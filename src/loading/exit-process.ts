import { accessSync, constants } from 'node:fs';
import { poolCalls } from './pool-calls.ts';
import { areThreadsLeft } from './start-thread.ts';
import { waitsForNames } from './waits-for-names.ts';

const SHELL = '/bin/sh';

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** A program that does nothing but end with a status. A shell takes a millisecond for it, in which a late signal would be its end. */
const endingWith = (status: number): readonly [string, ...string[]] =>
  isExecutable(SHELL) ? [SHELL, '-c', `exit ${status}`] : [process.execPath, '-e', `process.exit(${status})`];

/** Puts another program in the place of this one, which ends all of its threads wherever they wait. Returns where that can't be done. */
const endInstead = (status: number): void => {
  const program = endingWith(status);
  try {
    process.execve?.(program[0], program, {});
  } catch {
    // Its caller has another way.
  }
};

/** What Node's own end would wait for; null: nothing, or it is not known. */
const held = (calls: number | null): string | null => {
  if (waitsForNames() || areThreadsLeft()) return 'no name server answers';
  return calls === null || calls === 0 ? null : 'a call to a file does not return';
};

/**
 * Ends the process at once with a status, as `process.exit` does where it returns: that waits for each thread of Node's pool,
 * one that stands in the system's resolver comes back when a name server answers, and one that stands in a call to a disk when that
 * does. Unless all of them are known to be idle, another program that ends with the same status takes the place of this
 * one. The status is given up only where the system lets none.
 */
export const exitProcess = (status = Number(process.exitCode ?? 0)): never => {
  const calls = poolCalls();
  const by = held(calls);
  if (by === null && calls === 0) return process.exit(status);
  process.exitCode = status;
  // What is to be done at the end: last lines are written, drafts removed.
  process.emit('exit', status);
  endInstead(status);
  if (by !== null) {
    process.stderr.write(`ramp-ledger: ${by}, and no other program can be run: the process kills itself\n`);
    process.kill(process.pid, 'SIGKILL');
  }
  // It was told already.
  process.removeAllListeners('exit');
  return process.exit(status);
};
