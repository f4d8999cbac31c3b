import { isNoRoom, sqliteCode } from '../event-store/sqlite-code.ts';

const ROOM =
  'there may be no room on the disk of DATA_DIR, EVENT_STORE_URL or READ_MODEL_URL: make room; ramp-ledger doctor says how much there is';

/** What helps where the machine lets the process have no more of them. */
export const TOO_FEW_TASKS =
  'the machine lets this process have too few tasks (threads): raise ulimit -u of its user, or the pids limit of its container or service (--pids-limit, TasksMax), to 64 more than there are';

/**
 * What the machine that this runs on refused a command, in its own words: a disk that is full, a folder that the user may not
 * look into. Null: a mistake of the program, of which the stack is wanted.
 */
export const refusedByMachine = (error: unknown): string | null => {
  if (!(error instanceof Error)) return null;
  if ('code' in error && error.code === 'ERR_WORKER_INIT_FAILED') return `${TOO_FEW_TASKS} (${error.message})`;
  if (isNoRoom(error)) return `${error.message} (${sqliteCode(error)}); ${ROOM}`;
  return ('syscall' in error && 'errno' in error) || sqliteCode(error) !== '' ? error.message : null;
};
