import * as E from 'fp-ts/lib/Either.js';
import { asker, isAwaited } from '../access/asker.ts';
import { FairTurns } from '../concurrency/fair-turns.ts';
import { inTime } from '../concurrency/in-time.ts';
import { FILE_HEAP_MB } from '../concurrency/thread-limits.ts';
import { ASKER_GONE, type AskerGone } from '../queries/failure/asker-gone.ts';
import type { FileFailed, PeekTable, StatementFiles } from '../queries/statements/statement-files.ts';
import { unreadable, type StatementUnreadable } from '../statements/unreadable.ts';
import { statementProtocol, type StatementAnswer, type StatementQuestion } from './statement-message.ts';
import { WorkerClient, type NoAnswer } from './worker-client.ts';

const failed = (detail: string): FileFailed => ({ _tag: 'FileFailed', detail });

/** The largest files take some seconds; one that takes longer would keep all others waiting. */
const READ_WITHIN_MS = 60_000;

const LATE: E.Either<NoAnswer, never> = E.left({
  _tag: 'NoAnswer',
  detail: 'the file took too long to be read',
  why: 'failed',
});

/** Some lines of a file that was read take milliseconds. */
const GIVEN_WITHIN_MS = 60_000;

const GIVES_NOTHING: E.Either<NoAnswer, never> = E.left({
  _tag: 'NoAnswer',
  detail: 'the thread of the file gives nothing more of it',
  why: 'failed',
});

const OTHER = failed('the thread answered another question');

/** The memory of bytes, where nothing else is in it: given away, it need not be copied. */
const ownMemory = ({ buffer, byteLength }: Uint8Array): readonly ArrayBuffer[] =>
  buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];

/** Ends a thread that answered another question. */
const refusedBy = async (close: () => Promise<void>): Promise<E.Either<FileFailed, never>> => {
  await close();
  return E.left(OTHER);
};

const answered = (answer: E.Either<NoAnswer, StatementAnswer>): E.Either<FileFailed, StatementAnswer> =>
  E.mapLeft(({ detail }: NoAnswer) => failed(detail))(answer);

/** The file itself is at fault where it takes too much memory: it would again. */
const readBy = (
  answer: E.Either<NoAnswer, StatementAnswer>,
): E.Either<StatementUnreadable | FileFailed, StatementAnswer> =>
  E.isLeft(answer) && answer.left.why === 'out of memory'
    ? E.left(unreadable(null, 'size', 'it takes more memory to be read than a file may; divide it'))
    : answered(answer);

/** A thread that has read a file, what it said of it, and how to end it. */
type Opened = {
  readonly said: StatementAnswer;
  readonly ask: (question: StatementQuestion) => Promise<E.Either<FileFailed, StatementAnswer>>;
  readonly close: () => Promise<void>;
};

/** Has each file read in a thread that ends with it, one file at a time, by turns of the keys that bring them. */
const fileReader = (readWithinMs: number, mostHeapMb: number, givenWithinMs: number) => {
  const turns = new FairTurns(1);
  return async (
    question: StatementQuestion,
    given: readonly ArrayBuffer[] = [],
  ): Promise<E.Either<StatementUnreadable | FileFailed | AskerGone, Opened>> => {
    const endTurn = await turns.take(asker(), isAwaited);
    if (endTurn === null) return ASKER_GONE;
    const thread = new WorkerClient({
      name: 'statement',
      file: new URL('./statement-thread.ts', import.meta.url),
      data: null,
      protocol: statementProtocol,
      mostHeapMb,
    });
    const close = async (): Promise<void> => {
      await thread.terminate();
      endTurn();
    };
    const said = readBy(await inTime(readWithinMs, thread.ask(question, given), LATE));
    if (E.isRight(said) && said.right._tag !== 'Refused') {
      const ask: Opened['ask'] = async (next) => {
        const answer = await inTime(givenWithinMs, thread.ask(next), GIVES_NOTHING);
        // It hangs, and would keep all others waiting for as long as whoever has the file does not let go of it.
        if (answer === GIVES_NOTHING) await close();
        return answered(answer);
      };
      return E.right({ said: said.right, ask, close });
    }
    await close();
    return E.isLeft(said) ? said : E.left(said.right._tag === 'Refused' ? said.right.refusal : OTHER);
  };
};

/** What a thread has of a file from one place on, which is all that the file has there. */
const whole = <A>(
  has: readonly A[] | null,
  count: number,
  from: number,
  most: number,
): E.Either<FileFailed, readonly A[]> =>
  has !== null && has.length === Math.max(0, Math.min(most, count - from)) ? E.right(has) : E.left(OTHER);

/** What a thread has of a file from one place on, which may be less than was asked for: nothing is only behind the last one. */
const part = <A>(
  has: readonly A[] | null,
  count: number,
  from: number,
  most: number,
): E.Either<FileFailed, readonly A[]> => {
  const there = Math.max(0, Math.min(most, count - from));
  return has !== null && has.length <= there && has.length >= Math.min(1, there) ? E.right(has) : E.left(OTHER);
};

/**
 * Reads bank files and files of transfers, and looks at tables, each in a thread that ends with it, one file at a time: what a
 * hostile file takes is its own thread's, and deliveries go on beside. A key that brings many files keeps others waiting for one
 * of them; who hangs up while they wait leaves the line.
 */
export const threadedStatements = (
  readWithinMs = READ_WITHIN_MS,
  mostHeapMb = FILE_HEAP_MB,
  givenWithinMs = GIVEN_WITHIN_MS,
): Pick<StatementFiles, 'open' | 'openTransfers'> & { readonly peekTable: PeekTable } => {
  const read = fileReader(readWithinMs, mostHeapMb, givenWithinMs);
  return {
    open: (bytes, reading) => async () => {
      const opened = await read({ _tag: 'Read', bytes, reading });
      if (E.isLeft(opened)) return opened;
      const { said, ask, close } = opened.right;
      if (said._tag !== 'Read') return await refusedBy(close);
      const { statementId, facts } = said;
      return E.right({
        statementId,
        facts,
        lines: (from, most) => async () =>
          E.chain((it: StatementAnswer) => part(it._tag === 'Lines' ? it.lines : null, facts.lines, from, most))(
            await ask({ _tag: 'Lines', from, most }),
          ),
        names: (key, from, most) => async () =>
          E.chain((it: StatementAnswer) => whole(it._tag === 'LineNames' ? it.names : null, facts.lines, from, most))(
            await ask({ _tag: 'LineNames', key, from, most }),
          ),
        close,
      });
    },
    openTransfers: (bytes, context) => async () => {
      const opened = await read({ _tag: 'ReadTransfers', bytes, context }, ownMemory(bytes));
      if (E.isLeft(opened)) return opened;
      const { said, ask, close } = opened.right;
      if (said._tag !== 'TransfersRead') return await refusedBy(close);
      const { count } = said;
      return E.right({
        count,
        transfers: (from, most) => async () =>
          E.chain((it: StatementAnswer) => whole(it._tag === 'Transfers' ? it.transfers : null, count, from, most))(
            await ask({ _tag: 'Transfers', from, most }),
          ),
        close,
      });
    },
    peekTable: (bytes, format) => async () => {
      const opened = await read({ _tag: 'Peek', bytes, format });
      if (E.isLeft(opened)) return opened;
      const { said, close } = opened.right;
      if (said._tag !== 'Peeked') return await refusedBy(close);
      await close();
      return E.right(said.table);
    },
  };
};
