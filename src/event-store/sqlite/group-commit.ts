import type { Worker } from 'node:worker_threads';
import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import { THREAD_LIMITS } from '../../concurrency/thread-limits.ts';
import { startThread } from '../../loading/start-thread.ts';
import type { AppendError, Appended, Readiness } from '../event-store.ts';
import { frameSize, unpackAnswer, writeRequest, type AppendRequest } from './append-frame.ts';
import { openError, type OpenError } from './open-error.ts';
import type { FromWriter, ToWriter, WriterNews, WriterOptions } from './writer-message.ts';
import { WriterReadiness } from './writer-readiness.ts';

/** Told of each commit, and how many ms it took, the writing before it included. */
export type OnCommit = (tookMs: number) => void;

/** Told of what operators should know of the file. */
export type OnWriterNews = (news: WriterNews) => void;

type Waiter = (answer: E.Either<AppendError, Appended>) => void;

const SMALLEST_FRAME = 262_144;
const SPARE_FRAMES = 8;
/**
 * Appends that go over without waiting for the turn of the event loop to end, so that the writer begins while the rest of
 * a burst is still being read: a tenth more deliveries per second than whole turns, and than 16 or 8 at a time.
 */
const ENOUGH_FOR_A_FRAME = 32;

const unavailable = (detail: string): E.Either<AppendError, never> => E.left({ _tag: 'StoreUnavailable', detail });

/**
 * The owner's end of the writer thread. Appends of one turn of the event loop go over as one frame; what arrives while a
 * commit runs goes into the next one; each is answered only after its commit.
 */
export class GroupCommit {
  readonly #worker: Worker;
  readonly #onCommit: OnCommit;
  readonly #onNews: OnWriterNews;
  readonly #spare: ArrayBuffer[] = [];
  /** Those who wait for the frames under way, in the order in which the frames were sent. */
  readonly #underWay: (readonly Waiter[])[] = [];
  #frame: Buffer = Buffer.alloc(0);
  #used = 0;
  #waiters: Waiter[] = [];
  readonly #readiness: WriterReadiness;
  #closed: Promise<void> | null = null;
  readonly #exited: Promise<void>;

  private constructor(worker: Worker, onCommit: OnCommit, onNews: OnWriterNews) {
    this.#worker = worker;
    this.#onCommit = onCommit;
    this.#onNews = onNews;
    this.#readiness = new WriterReadiness({
      oldest: () => this.#underWay[0],
      probe: () => {
        if (this.#closed === null) this.#post({ _tag: 'Probe' });
      },
      onNews,
    });
    this.#exited = new Promise((resolve) => {
      worker.once('exit', () => {
        this.#abandon('the writer thread has ended; restart the ledger');
        resolve();
      });
    });
    worker.on('message', (message: FromWriter) => this.#receive(message));
    worker.on('error', (error) => this.#abandon(`the writer thread failed: ${String(error)}; restart the ledger`));
  }

  /** Starts the writer thread and waits until it has opened its file. */
  static start(
    options: WriterOptions,
    onCommit: OnCommit,
    onNews: OnWriterNews,
  ): Promise<E.Either<OpenError, GroupCommit>> {
    const worker = startThread(new URL('./writer-thread.ts', import.meta.url), {
      name: 'writer',
      workerData: options,
      resourceLimits: THREAD_LIMITS,
    });
    return new Promise((resolve) => {
      worker.once('message', (first: FromWriter) => {
        resolve(first._tag === 'NotOpened' ? E.left(first.reason) : E.right(new GroupCommit(worker, onCommit, onNews)));
      });
      worker.once('error', (error) =>
        resolve(E.left(openError('StoreUnusable', `the writer thread failed: ${String(error)}`))),
      );
    });
  }

  readonly append =
    (request: AppendRequest): TE.TaskEither<AppendError, Appended> =>
    () =>
      new Promise((resolve) => {
        const readiness = this.readiness();
        if (this.#closed !== null) resolve(unavailable('the store is closed'));
        else if (!readiness.ready) resolve(unavailable(readiness.detail));
        else this.#enqueue(request, resolve);
      });

  /** Not ready while the disk does not answer: what was asked for before keeps waiting, and its outcome is told when it is known. */
  readonly readiness = (): Readiness => this.#readiness.now;

  /** Sends what waits, lets the writer finish it, and ends the thread. */
  readonly close = (): Promise<void> => {
    if (this.#closed === null) {
      this.#send();
      this.#post({ _tag: 'Close' });
      this.#closed = this.#exited;
    }
    return this.#closed;
  };

  #enqueue(request: AppendRequest, waiter: Waiter): void {
    const size = frameSize(request);
    if (this.#used + size > this.#frame.length) this.#roomFor(size);
    this.#used = writeRequest(this.#frame, request, this.#used);
    if (this.#waiters.length === 0) setImmediate(() => this.#sendWhereIdle());
    this.#waiters.push(waiter);
    if (this.#waiters.length >= ENOUGH_FOR_A_FRAME) this.#sendWhereIdle();
  }

  /** What arrives while a commit runs waits here for its end, so that all of it goes over as one. */
  #sendWhereIdle(): void {
    if (this.#underWay.length === 0) this.#send();
  }

  #roomFor(size: number): void {
    this.#send();
    const spare = size <= SMALLEST_FRAME ? this.#spare.pop() : undefined;
    this.#frame = Buffer.from(spare ?? new ArrayBuffer(Math.max(size, SMALLEST_FRAME)));
    this.#used = 0;
  }

  #send(): void {
    if (this.#waiters.length === 0) return;
    const { buffer } = this.#frame;
    const count = this.#waiters.length;
    this.#underWay.push(this.#waiters);
    this.#waiters = [];
    this.#frame = Buffer.alloc(0);
    this.#used = 0;
    if (buffer instanceof ArrayBuffer) this.#post({ _tag: 'Write', frame: buffer, count }, [buffer]);
  }

  #post(message: ToWriter, moved: readonly ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, [...moved]);
  }

  #receive(message: FromWriter): void {
    switch (message._tag) {
      case 'Committed':
        this.#keep(message.frame);
        this.#answered().forEach((waiter, i) => waiter(unpackAnswer(message.answers, i)));
        if (message.commitMs !== null) this.#onCommit(message.commitMs);
        return;
      case 'NotCommitted':
        this.#keep(message.frame);
        this.#readiness.notReady(message.state, message.detail);
        for (const waiter of this.#answered()) waiter(unavailable(message.detail));
        return;
      case 'Probed':
        if (message.state === 'writable') this.#readiness.writable();
        else this.#readiness.notReady(message.state, message.detail);
        return;
      case 'Stopped':
        this.#readiness.notReady('failed', message.detail);
        return;
      case 'SecondName':
        this.#onNews(message);
        return;
      case 'Opened':
      case 'NotOpened':
    }
  }

  /** Those whose frame was answered; the writer gets the next one before they are told. */
  #answered(): readonly Waiter[] {
    const waiters = this.#underWay.shift() ?? [];
    this.#readiness.answered();
    this.#sendWhereIdle();
    return waiters;
  }

  #keep(frame: ArrayBuffer): void {
    if (frame.byteLength === SMALLEST_FRAME && this.#spare.length < SPARE_FRAMES) this.#spare.push(frame);
  }

  /** The thread has ended: as it was told to, or for a reason that is told first. */
  #abandon(detail: string): void {
    this.#readiness.ended(detail, this.#closed !== null);
    for (const waiter of [...this.#underWay.splice(0).flat(), ...this.#waiters.splice(0)]) waiter(unavailable(detail));
  }
}
