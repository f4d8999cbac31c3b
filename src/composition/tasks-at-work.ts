import { readdirSync, readFileSync } from 'node:fs';
import * as E from 'fp-ts/lib/Either.js';

/** The state of a task, behind its name, which may have anything in it: `R` where it runs or waits for its turn on a processor. */
const AT_WORK = /\) R [^)]*$/;

const statOf = (task: string): string =>
  // One that has ended meanwhile is at no work.
  E.getOrElse(() => '')(E.tryCatch(() => readFileSync(`/proc/self/task/${task}/stat`, 'utf8'), String));

/**
 * Whether any thread of this process but the first one, which asks, is at work or would be if it had its turn. One that stands in a
 * call to a disk is not, however busy the machine is. False where the system doesn't tell, as on anything but Linux.
 */
export const areTasksAtWork = (): boolean => {
  const tasks = E.tryCatch(() => readdirSync('/proc/self/task'), String);
  return E.isRight(tasks) && tasks.right.some((task) => task !== String(process.pid) && AT_WORK.test(statOf(task)));
};
