import type { Worker } from 'node:worker_threads';
import * as E from 'fp-ts/lib/Either.js';
import { inTime } from '../concurrency/in-time.ts';
import { THREAD_LIMITS } from '../concurrency/thread-limits.ts';
import { endOf, endThread, startThread } from '../loading/start-thread.ts';
import type { Protocol, ToThread } from './thread-message.ts';

/**
 * There is no answer. `why`: the thread was not there, and the question did nothing; or it failed or ended while it was asked,
 * perhaps by this question; or it took more memory than it may; or whoever asked hung up before it was.
 */
export type NoAnswer = {
  readonly _tag: 'NoAnswer';
  readonly detail: string;
  readonly why: 'not asked' | 'failed' | 'out of memory' | 'not awaited';
};

/** How a thread is started. */
export type ThreadStart<Question, Answer, Note, News> = {
  /** As it is named to operators. */
  readonly name: string;
  readonly file: URL;
  readonly data: unknown;
  readonly protocol: Protocol<Question, Answer, Note, News>;
  /** What its objects may take, in MiB; it ends where they take more. Left out: as Node has it. */
  readonly mostHeapMb?: number;
};

/** Told of what happens to a thread. */
export type ThreadEvents<News> = {
  /** It works. */
  readonly onReady?: () => void;
  readonly onNews?: (news: News) => void;
  /** It answered a question, whatever the answer is. */
  readonly onAnswer?: () => void;
  /** It said that it is there. */
  readonly onPong?: () => void;
  /** It has ended, as it was told to or not. */
  readonly onEnd?: (detail: string) => void;
};

/** A thread that was told to end has so long for it; then it is ended, whatever it waits for. */
const END_WITHIN_MS = 3_000;

/** Ending it takes so long at most; one that is held by the system itself ends with the process. */
const TERMINATE_WITHIN_MS = 1_000;

/** A thread that is ended before it has loaded its program has so long for it. */
const LOAD_WITHIN_MS = 4_000;

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * A thread's other end, for one life of it: questions, each with its answer, in any order; notes; news. That it fails is a
 * value like any other, and never takes the asking thread with it.
 */
export class WorkerClient<Question, Answer, Note = never, News = never> {
  readonly #name: string;
  /** Null where the system let no thread be made. */
  readonly #worker: Worker | null;
  readonly #waiting = new Map<number, (answer: E.Either<NoAnswer, Answer>) => void>();
  readonly #exited: Promise<void>;
  readonly #loaded = Promise.withResolvers<void>();
  #next = 0;
  /** What it was asked last whether it is there by, while it has not said so. */
  #ping: object | undefined;
  #gone: string | null = null;
  #isReady = false;

  constructor(
    { name, file, data, protocol, mostHeapMb }: ThreadStart<Question, Answer, Note, News>,
    { onReady, onNews, onAnswer, onPong, onEnd }: ThreadEvents<News> = {},
  ) {
    this.#name = name;
    const resourceLimits = {
      ...THREAD_LIMITS,
      ...(mostHeapMb === undefined ? {} : { maxOldGenerationSizeMb: mostHeapMb }),
    };
    const worker = this.#started(() => startThread(file, { name, workerData: data, resourceLimits }));
    this.#worker = worker;
    if (worker === null) {
      this.#exited = Promise.resolve();
      // Behind the constructor: who is told may ask for this.
      queueMicrotask(() => onEnd?.(this.#gone ?? ''));
      return;
    }
    worker.on('message', (message: unknown) => {
      if (!protocol.isFromThread(message)) this.#fail(`thread ${name} said what is no message`);
      else if (message._tag === 'News') onNews?.(message.news);
      else if (message._tag === 'Answer' || message._tag === 'Failed') {
        onAnswer?.();
        this.#settle(
          message.id,
          message._tag === 'Answer' ? E.right(message.answer) : this.#noAnswer(message.detail, 'failed'),
        );
      } else if (message._tag === 'Pong') {
        this.#ping = undefined;
        onPong?.();
      } else {
        this.#isReady = true;
        this.#loaded.resolve();
        onReady?.();
      }
    });
    worker.on('messageerror', (error) => this.#fail(`thread ${name} can't be understood: ${textOf(error)}`));
    worker.on('error', (error) =>
      this.#break(`thread ${name} failed: ${textOf(error)}`, isOutOfMemory(error) ? 'out of memory' : undefined),
    );
    this.#exited = endOf(worker).then(() => {
      this.#break(`thread ${name} has ended`);
      onEnd?.(this.#gone ?? '');
      return undefined;
    });
  }

  /** Why nothing is answered any more; null while it is. */
  get gone(): string | null {
    return this.#gone;
  }

  /** The question that has had no answer for longest; undefined where all have one. The same one is the same object. */
  get oldest(): object | undefined {
    return this.#waiting.values().next().value;
  }

  /**
   * Asks whether it is there, unless it is asked that already: its loop says so, whatever its questions wait for.
   *
   * @returns what has had no answer yet; the same one is the same object. Undefined: it is gone
   */
  ping(): object | undefined {
    if (this.#gone !== null) return undefined;
    if (this.#ping === undefined) {
      this.#ping = {};
      this.#post({ _tag: 'Ping' });
    }
    return this.#ping;
  }

  /** @param transfer memory of the question that is given to the thread, and is empty here then */
  ask(question: Question, transfer: readonly ArrayBuffer[] = []): Promise<E.Either<NoAnswer, Answer>> {
    if (this.#gone !== null) return Promise.resolve(this.#noAnswer(this.#gone, 'not asked'));
    const { promise, resolve } = Promise.withResolvers<E.Either<NoAnswer, Answer>>();
    const id = this.#next;
    this.#next += 1;
    this.#waiting.set(id, resolve);
    this.#post({ _tag: 'Ask', id, question }, transfer);
    return promise;
  }

  /** Says something that has no answer; a thread that is gone hears nothing. */
  tell(note: Note): void {
    if (this.#gone === null) this.#post({ _tag: 'Tell', note });
  }

  /** Lets it end what it does, for a while; then it is ended. */
  async close(withinMs = END_WITHIN_MS): Promise<void> {
    if (this.#gone === null) this.#post({ _tag: 'Close' });
    if (
      await inTime(
        withinMs,
        this.#exited.then(() => true),
        false,
      )
    )
      return;
    await this.terminate();
  }

  /**
   * Ends it at once, or as soon as it has loaded its program: a native module that is being loaded when its thread is ended
   * aborts the whole process.
   */
  async terminate(): Promise<void> {
    this.#break(`thread ${this.#name} was ended`);
    await inTime(LOAD_WITHIN_MS, Promise.race([this.#loaded.promise, this.#exited]), undefined);
    if (this.#worker !== null) await inTime(TERMINATE_WITHIN_MS, endThread(this.#worker), undefined);
  }

  /** A system that is out of threads or memory lets none be made, which is as if it had died at once. */
  #started(start: () => Worker): Worker | null {
    try {
      return start();
    } catch (error) {
      this.#break(`thread ${this.#name} could not be started: ${textOf(error)}`);
      return null;
    }
  }

  #post(message: ToThread<Question, Note>, transfer: readonly ArrayBuffer[] = []): void {
    this.#worker?.postMessage(message, [...transfer]);
  }

  #noAnswer(detail: string, why: NoAnswer['why']): E.Either<NoAnswer, never> {
    return E.left({ _tag: 'NoAnswer', detail, why });
  }

  #settle(id: number, answer: E.Either<NoAnswer, Answer>): void {
    this.#waiting.get(id)?.(answer);
    this.#waiting.delete(id);
  }

  /** It is of no use any more. */
  #fail(detail: string): void {
    this.#break(detail);
    if (this.#worker !== null) void endThread(this.#worker);
  }

  /** A thread that dies before it serves has looked at nothing that waits. */
  #break(detail: string, why: NoAnswer['why'] = this.#isReady ? 'failed' : 'not asked'): void {
    this.#gone ??= detail;
    for (const id of this.#waiting.keys()) this.#settle(id, this.#noAnswer(this.#gone, why));
  }
}
