import { mock } from 'node:test';
import { Worker } from 'node:worker_threads';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';

const Asked = t.type({ _tag: t.literal('Ask'), question: t.type({ _tag: t.string }) });

/** The tags of the questions that this thread asks others while something is done, each once. */
export const askedOfThreads = async (done: () => Promise<unknown>): Promise<readonly string[]> => {
  const posted = mock.method(Worker.prototype, 'postMessage');
  try {
    await done();
    const messages = posted.mock.calls.map(({ arguments: [message] }) => Asked.decode(message));
    return [...new Set(messages.flatMap((message) => (E.isRight(message) ? [message.right.question._tag] : [])))];
  } finally {
    posted.mock.restore();
  }
};
