import { createServer } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { threadEnd } from '../../src/threads/serve-thread.ts';
import { testProtocol } from './test-protocol.ts';

if (parentPort !== null) {
  // What holds a thread as an open connection does.
  createServer().listen(0, '127.0.0.1');
  const end = threadEnd(parentPort, testProtocol);
  end.serve({
    answer: (question) => {
      if (question._tag === 'Echo') return { _tag: 'Echoed', text: question.text };
      if (question._tag === 'Throw') throw new Error('thrown');
      if (question._tag === 'Die') process.nextTick(() => process.exit(1));
      if (question._tag === 'Spin') for (;;);
      if (question._tag === 'Hold') {
        Atomics.wait(question.gate, 0, 0);
        return { _tag: 'Echoed', text: 'held' };
      }
      return new Promise(() => undefined);
    },
    onNote: (note) => {
      if (note._tag === 'Hear') end.tell({ _tag: 'Heard', text: note.text });
      else Atomics.wait(note.gate, 0, 0);
    },
    close: () => (workerData === 'never closes' ? new Promise(() => undefined) : undefined),
  });
}
