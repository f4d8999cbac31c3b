import * as E from 'fp-ts/lib/Either.js';
import { inTime } from '../concurrency/in-time.ts';
import { FILE_HEAP_MB } from '../concurrency/thread-limits.ts';
import type { FileFailed, PeekTable } from '../queries/statements/statement-files.ts';
import { statementProtocol } from './statement-message.ts';
import { WorkerClient } from './worker-client.ts';

const WITHIN_MS = 30_000;

const failed = (detail: string): E.Either<FileFailed, never> => E.left({ _tag: 'FileFailed', detail });

/** Looks in a thread that ends with it: what a hostile file takes is its own thread's. */
export const threadedPeek = (): PeekTable => (bytes, format) => async () => {
  const thread = new WorkerClient({
    name: 'statement',
    file: new URL('./statement-thread.ts', import.meta.url),
    data: null,
    protocol: statementProtocol,
    mostHeapMb: FILE_HEAP_MB,
  });
  try {
    const said = await inTime(WITHIN_MS, thread.ask({ _tag: 'Peek', bytes, format }), null);
    if (said === null) return failed('the file took too long to be looked at');
    if (E.isLeft(said)) return failed(said.left.detail);
    if (said.right._tag === 'Refused') return E.left(said.right.refusal);
    return said.right._tag === 'Peeked' ? E.right(said.right.table) : failed('the thread answered another question');
  } finally {
    await thread.terminate();
  }
};
