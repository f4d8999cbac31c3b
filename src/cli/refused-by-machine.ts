import { sqliteCode } from '../event-store/sqlite-code.ts';

/**
 * What the machine that this runs on refused a command, in its own words: a disk that is full, a folder that the user may not
 * look into. Null: a mistake of the program, of which the stack is wanted.
 */
export const refusedByMachine = (error: unknown): string | null => {
  if (!(error instanceof Error)) return null;
  return ('syscall' in error && 'errno' in error) || sqliteCode(error) !== '' ? error.message : null;
};
