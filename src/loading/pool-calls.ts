import { readdirSync, readFileSync } from 'node:fs';

/** How libuv calls the threads of its pool. */
const POOL_THREAD = 'libuv-worker';

/** By architecture, the number of the system's call in which such a thread waits for something to do; by Linux' own tables. */
const WAITS: Readonly<Record<string, string>> = {
  arm64: '98',
  loong64: '98',
  ppc64: '221',
  riscv64: '98',
  s390x: '238',
  x64: '202',
};

const TASKS = '/proc/self/task';

const read = (task: string, what: string): string | null => {
  try {
    return readFileSync(`${TASKS}/${task}/${what}`, 'utf8').trim();
  } catch {
    return null;
  }
};

/** The numbers of this process's threads; null where the system doesn't tell. */
const tasks = (): readonly string[] | null => {
  try {
    return readdirSync(TASKS);
  } catch {
    return null;
  }
};

/**
 * How many threads of libuv's pool are in a call: to a file, to the resolver, or at work of their own. Node's list of what is under
 * way (`process.getActiveResourcesInfo`) has not all of these calls, `readFile` and `writeFile` not, while its end waits for
 * each. Null where the system doesn't tell, as on anything but Linux.
 */
export const poolCalls = (): number | null => {
  const waits = WAITS[process.arch];
  const all = tasks();
  if (waits === undefined || all === null) return null;
  // The pool is made with the first call. A libuv before 1.50 gives its threads no name: of its calls nothing is known here.
  const pool = all.filter((task) => read(task, 'comm') === POOL_THREAD);
  const calls = pool.map((task) => read(task, 'syscall'));
  return calls.includes(null) ? null : calls.filter((call) => call?.split(' ')[0] !== waits).length;
};
