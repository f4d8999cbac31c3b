import { inTime } from '../concurrency/in-time.ts';
import { wait } from '../concurrency/wait.ts';
import { exitProcess } from '../loading/exit-process.ts';
import { poolCalls } from '../loading/pool-calls.ts';
import { areThreadsLeft, endThreads } from '../loading/start-thread.ts';
import { namesAsked } from '../loading/waits-for-names.ts';
import { areTasksAtWork } from './tasks-at-work.ts';

/** However busy the machine is. */
const WITHIN_MS = 6_000;
const LOOK_EVERY_MS = 20;

/**
 * What hangs is told by as many looks in a row at which no thread is at work, a second and a half where this one has its turns. By
 * the clock alone a process that only waited for its own, on a busy machine, would be killed.
 */
const QUIET_LOOKS = 30;
const QUIET_LOOK_EVERY_MS = 50;

/** The status that shells give to what was killed so. */
const KILLED = 137;

/** Node's names of calls to files that its own threads are at, as far as it lists them. */
const AT_FILES = /^FSReq/;

/** Whether more of Node's own threads are in a call than names are asked for. Threads that are left have asked for names nobody counts. */
const isPoolAtFiles = (): boolean => !areThreadsLeft() && (poolCalls() ?? 0) > namesAsked();

const isAtFiles = (): boolean =>
  process.getActiveResourcesInfo().some((kind) => AT_FILES.test(kind)) || isPoolAtFiles();

/** Resolves once nothing stands in a call of the system that the end of the process would wait for; names are waited for by none. */
const free = async (given: AbortSignal): Promise<'free'> => {
  await endThreads();
  while (isAtFiles() && !given.aborted) await wait(LOOK_EVERY_MS, given);
  return 'free';
};

/** Resolves once nothing in the process has been at work for a while. */
const quiet = async (given: AbortSignal): Promise<'stuck'> => {
  for (let looks = 0; looks < QUIET_LOOKS && !given.aborted;) {
    await wait(QUIET_LOOK_EVERY_MS, given);
    looks = areTasksAtWork() ? 0 : looks + 1;
  }
  return 'stuck';
};

const ended = (given: AbortSignal): Promise<'free' | 'stuck'> => Promise.race([free(given), quiet(given)]);

/** Why it is killed: something stands in a call of the system, or is still at work at what can't be ended in the midst of it. */
type WhyKilled = 'stuck' | 'at work';

/**
 * Ends the process with its exit status. Node waits for each thread before, without a bound, and one that stands in a call to
 * a disk that hangs comes to no end: the process is killed then. That loses nothing, since whatever was acknowledged is durable.
 * Who only waits for a name server is not waited for.
 *
 * @param onKill told before it is killed, and why, to write down what is still to be said
 * @param withinMs when it is killed at the latest, whatever is at work
 */
export const endProcess = async (onKill: (why: WhyKilled) => Promise<void>, withinMs = WITHIN_MS): Promise<never> => {
  const how = await inTime(withinMs, ended, 'late');
  if (how !== 'free') {
    await onKill(how === 'late' && areTasksAtWork() ? 'at work' : 'stuck');
    process.kill(process.pid, 'SIGKILL');
    // The first process of a container is not killed by its own signal; another program in its place ends all of its threads.
    process.execve?.(process.execPath, [process.execPath, '-e', `process.exit(${KILLED})`], {});
  }
  return exitProcess();
};
