import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import * as E from 'fp-ts/lib/Either.js';
import { threadEnd } from './serve-thread.ts';
import { isVerifyOptions, verifyProtocol } from './verify-message.ts';
import { VerifyTasks } from './verify-tasks.ts';

const serve = (port: MessagePort, options: unknown): void => {
  if (!isVerifyOptions(options)) return;
  const tasks = VerifyTasks.open(options);
  // It dies with the reason, which is the answer to its tasks.
  if (E.isLeft(tasks)) throw new Error(tasks.left);
  threadEnd(port, verifyProtocol).serve({
    answer: (task) => tasks.right.run(task),
    onNote: (never) => never,
    close: () => tasks.right.close(),
  });
};

if (parentPort !== null) serve(parentPort, workerData);
