import * as E from 'fp-ts/lib/Either.js';
import { inTime } from '../concurrency/in-time.ts';
import type { FileFailed, StatementFiles } from '../queries/statements/statement-files.ts';
import { statementProtocol, type StatementAnswer } from './statement-message.ts';
import { WorkerClient, type NoAnswer } from './worker-client.ts';

const failed = (detail: string): FileFailed => ({ _tag: 'FileFailed', detail });

/** The largest files take some seconds; one that takes longer would keep all others waiting. */
const READ_WITHIN_MS = 60_000;

const LATE: E.Either<NoAnswer, never> = E.left({ _tag: 'NoAnswer', detail: 'the file took too long to be read' });

const answered = (answer: E.Either<NoAnswer, StatementAnswer>): E.Either<FileFailed, StatementAnswer> =>
  E.mapLeft(({ detail }: NoAnswer) => failed(detail))(answer);

/**
 * Reads bank files, each in a thread that ends with it, one file at a time: what a hostile file takes is its own thread's, and
 * deliveries go on beside.
 */
export const threadedStatements = (readWithinMs = READ_WITHIN_MS): StatementFiles['open'] => {
  let last: Promise<void> = Promise.resolve();
  return (bytes, reading) => async () => {
    const before = last;
    const { promise, resolve: letNext } = Promise.withResolvers<void>();
    last = promise;
    await before;
    const thread = new WorkerClient({
      name: 'statement',
      file: new URL('./statement-thread.ts', import.meta.url),
      data: null,
      protocol: statementProtocol,
    });
    const close = async (): Promise<void> => {
      await thread.terminate();
      letNext();
    };
    const read = answered(await inTime(readWithinMs, thread.ask({ _tag: 'Read', bytes, reading }), LATE));
    if (E.isRight(read) && read.right._tag === 'Read') {
      const { statementId, reading: digest, facts } = read.right;
      return E.right({
        statementId,
        reading: digest,
        facts,
        lines: (from, most) => async () => {
          const said = answered(await thread.ask({ _tag: 'Lines', from, most }));
          if (E.isLeft(said)) return said;
          const lines = said.right._tag === 'Lines' ? said.right.lines : [];
          const has = Math.max(0, Math.min(most, facts.lines - from));
          return lines.length === has ? E.right(lines) : E.left(failed('the thread answered with other lines'));
        },
        close,
      });
    }
    await close();
    if (E.isLeft(read)) return read;
    return E.left(read.right._tag === 'Refused' ? read.right.refusal : failed('the thread answered another question'));
  };
};
