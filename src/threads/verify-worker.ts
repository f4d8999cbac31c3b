import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { either as E } from 'fp-ts';
import type { FromWorker } from './task-pool.ts';
import { isVerifyOptions, type VerifyAnswer, type VerifyTask } from './verify-message.ts';
import { VerifyTasks } from './verify-tasks.ts';

const serve = (port: MessagePort, options: unknown): void => {
  if (!isVerifyOptions(options)) return;
  const post = (message: FromWorker<VerifyAnswer>): void => port.postMessage(message, []);
  const tasks = VerifyTasks.open(options);
  if (E.isLeft(tasks)) {
    post({ _tag: 'Broken', detail: tasks.left });
    return;
  }
  port.on('message', (task: VerifyTask) => {
    void tasks.right.run(task).then(
      (answer) => post({ _tag: 'Answer', answer }),
      (error: unknown) => post({ _tag: 'Broken', detail: String(error) }),
    );
  });
};

if (parentPort !== null) serve(parentPort, workerData);
