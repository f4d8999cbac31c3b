import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import * as E from 'fp-ts/lib/Either.js';
import { businessCalendar } from '../domain/business-day.ts';
import { troubleLine } from '../domain/trouble.ts';
import { openBeside } from '../event-store/sqlite/sqlite-event-store.ts';
import { LocalTasks } from '../read-models/sqlite/rebuild/rebuild-tasks.ts';
import { lowerPriority } from './lower-priority.ts';
import { isRebuildWorkerOptions, rebuildProtocol, type RebuildAnswer, type RebuildTask } from './rebuild-message.ts';
import { threadEnd } from './serve-thread.ts';

const answerTo = async (tasks: LocalTasks, task: RebuildTask): Promise<RebuildAnswer> => {
  if (task._tag === 'Part') return { _tag: 'Part', loaded: await tasks.part(task.part) };
  return { _tag: 'Rest', gathered: tasks.rest() };
};

const serve = (port: MessagePort, options: unknown): void => {
  if (!isRebuildWorkerOptions(options)) return;
  // Deliveries come first: on Linux a priority is one thread's own.
  lowerPriority(options.priority);
  const store = openBeside(options.location);
  // It dies with the reason, which is the answer to its tasks.
  if (E.isLeft(store)) throw new Error(troubleLine(store.left));
  const tasks = new LocalTasks(store.right, options.upTo, businessCalendar(options.timeZone));
  threadEnd(port, rebuildProtocol).serve({
    answer: (task) => answerTo(tasks, task),
    onNote: (never) => never,
    close: () => store.right.close(),
  });
};

if (parentPort !== null) serve(parentPort, workerData);
