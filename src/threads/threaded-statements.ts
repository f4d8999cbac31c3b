import * as E from 'fp-ts/lib/Either.js';
import type { FileFailed, StatementFiles } from '../queries/statements/statement-files.ts';
import { statementProtocol, type StatementAnswer } from './statement-message.ts';
import { WorkerClient, type NoAnswer } from './worker-client.ts';

const failed = (detail: string): FileFailed => ({ _tag: 'FileFailed', detail });

const answered = (answer: E.Either<NoAnswer, StatementAnswer>): E.Either<FileFailed, StatementAnswer> =>
  E.mapLeft(({ detail }: NoAnswer) => failed(detail))(answer);

/**
 * Reads bank files, each in a thread that ends with it, one file at a time: what a hostile file takes is its own thread's, and
 * deliveries go on beside.
 */
export const threadedStatements = (): StatementFiles['open'] => {
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
    const read = answered(await thread.ask({ _tag: 'Read', bytes, reading }));
    if (E.isRight(read) && read.right._tag === 'Read') {
      const { statementId, reading: digest, facts } = read.right;
      return E.right({
        statementId,
        reading: digest,
        facts,
        lines: async (from, most) => {
          const lines = await thread.ask({ _tag: 'Lines', from, most });
          return E.isRight(lines) && lines.right._tag === 'Lines' ? lines.right.lines : [];
        },
        close,
      });
    }
    await close();
    if (E.isLeft(read)) return read;
    return E.left(read.right._tag === 'Refused' ? read.right.refusal : failed('the thread answered another question'));
  };
};
