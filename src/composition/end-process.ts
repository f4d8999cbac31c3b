import { inTime } from '../concurrency/in-time.ts';
import { wait } from '../concurrency/wait.ts';
import { endThreads } from '../loading/start-thread.ts';

const WITHIN_MS = 1_500;
const LOOK_EVERY_MS = 20;
/** The status that shells give to what was killed so. */
const KILLED = 137;

/** Node's names of calls to files that its own threads are at. */
const AT_FILES = /^FSReq/;

const isAtFiles = (): boolean => process.getActiveResourcesInfo().some((kind) => AT_FILES.test(kind));

/** Resolves once nothing stands in a call of the system that the end of the process would wait for. */
const free = async (given: AbortSignal): Promise<'free'> => {
  await endThreads();
  while (isAtFiles() && !given.aborted) await wait(LOOK_EVERY_MS, given);
  return 'free';
};

/**
 * Ends the process with its exit status. Node waits for each thread before, without a bound, and one that stands in a call to
 * a disk that hangs comes to no end: the process is killed then. That loses nothing, since whatever was acknowledged is durable.
 *
 * @param onKill told before it is killed, to write down what is still to be said
 */
export const endProcess = async (onKill: () => Promise<void>): Promise<never> => {
  if ((await inTime(WITHIN_MS, free, 'stuck')) === 'stuck') {
    await onKill();
    process.kill(process.pid, 'SIGKILL');
    // The first process of a container is not killed by its own signal; another program in its place ends all of its threads.
    process.execve?.(process.execPath, [process.execPath, '-e', `process.exit(${KILLED})`], {});
  }
  return process.exit();
};
