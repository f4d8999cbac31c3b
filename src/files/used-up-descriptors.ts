import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';

/** Of the system's codes those that say that the process, or the machine, has as many files open as it may. */
const USED_UP: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE']);

/** What is to be done about it, in the words of a cure. */
export const MORE_DESCRIPTORS =
  'raise the limit of open files (ulimit -n, LimitNOFILE), and see what holds so many open';

/** Whether no file can be opened now, whichever it is: SQLite has one code for that and for a file that may not be opened. */
export const areDescriptorsUsedUp = (): boolean => {
  try {
    closeSync(openSync(devNull, 'r'));
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && USED_UP.has(error.code);
  }
};
