import { accessSync, constants } from 'node:fs';
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

/**
 * Ends the process at once with a status, as `process.exit` does where it returns: that waits for each thread of Node's pool,
 * and one that stands in the system's resolver comes back when a name server answers. Then another program that ends with the
 * same status takes the place of this one. The status is given up only where the system lets none.
 */
export const exitProcess = (status = Number(process.exitCode ?? 0)): never => {
  if (waitsForNames() || areThreadsLeft()) {
    process.exitCode = status;
    // What is to be done at the end: last lines are written, drafts removed.
    process.emit('exit', status);
    endInstead(status);
    process.stderr.write(
      'ramp-ledger: no name server answers, and no other program can be run: the process kills itself\n',
    );
    process.kill(process.pid, 'SIGKILL');
  }
  return process.exit(status);
};
