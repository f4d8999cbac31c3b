import { setPriority } from 'node:os';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { either as E } from 'fp-ts';
import { businessCalendar } from '../domain/business-day.ts';
import { troubleLine } from '../domain/trouble.ts';
import { openBeside } from '../event-store/sqlite/sqlite-event-store.ts';
import { LocalTasks } from '../read-models/sqlite/rebuild-tasks.ts';
import { isRebuildWorkerOptions, type RebuildAnswer, type RebuildTask } from './rebuild-message.ts';
import type { FromWorker } from './task-pool.ts';

const answerTo = async (tasks: LocalTasks, task: RebuildTask): Promise<RebuildAnswer> => {
  if (task._tag === 'Part') return { _tag: 'Part', loaded: await tasks.part(task.part) };
  if (task._tag === 'Stretch') return { _tag: 'Stretch', loaded: await tasks.stretch(task.after) };
  return { _tag: 'Rest', gathered: tasks.rest() };
};

const serve = (port: MessagePort, options: unknown): void => {
  if (!isRebuildWorkerOptions(options)) return;
  const post = (message: FromWorker<RebuildAnswer>): void => port.postMessage(message, []);
  // Deliveries come first: on Linux a priority is one thread's own.
  setPriority(options.priority);
  const store = openBeside(options.location);
  if (E.isLeft(store)) {
    post({ _tag: 'Broken', detail: troubleLine(store.left) });
    return;
  }
  const tasks = new LocalTasks(store.right, options.upTo, businessCalendar(options.timeZone));
  port.on('message', (task: RebuildTask) => {
    void answerTo(tasks, task).then((answer) => {
      post({ _tag: 'Answer', answer });
      return undefined;
    });
  });
};

if (parentPort !== null) serve(parentPort, workerData);
