import { backOff, type BackOff } from '../concurrency/back-off.ts';
import { wait } from '../concurrency/wait.ts';
import { WorkerClient, type ThreadStart } from './worker-client.ts';

/** Told when a thread goes down, why, and when it works again (null). */
export type OnThreadState = (name: string, problem: string | null) => void;

/** Before a thread that died is started again. */
const PAUSES: BackOff = { firstMs: 100, longestMs: 30_000 };

/** One that has worked for so long and dies has done so once, not once more. */
const LASTS_MS = 60_000;

/** A thread that is started again when it dies, with pauses, until it is closed. What it was asked has no answer then. */
export class LastingThread<Question, Answer, Note = never, News = never> {
  readonly #start: ThreadStart<Question, Answer, Note, News>;
  readonly #onNews: (news: News) => void;
  readonly #onState: OnThreadState;
  readonly #closing = new AbortController();
  #life: WorkerClient<Question, Answer, Note, News> | null = null;
  #deaths = 0;
  #isDown = false;
  #isReady = false;

  constructor(
    start: ThreadStart<Question, Answer, Note, News>,
    onState: OnThreadState,
    onNews: (news: News) => void = () => undefined,
  ) {
    this.#start = start;
    this.#onState = onState;
    this.#onNews = onNews;
  }

  /** Its present life, which begins where it has had none yet; that of a thread which died is gone until it is started again. */
  current(): WorkerClient<Question, Answer, Note, News> {
    this.#life ??= this.#begin();
    return this.#life;
  }

  /** Whether it works by now; it begins where it has had no life yet, unless it was closed. */
  isReady(): boolean {
    if (this.#closing.signal.aborted) return false;
    this.current();
    return this.#isReady;
  }

  /** Says something to it where it lives. */
  tell(note: Note): void {
    this.#life?.tell(note);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#life?.close();
  }

  #begin(): WorkerClient<Question, Answer, Note, News> {
    const beganAt = performance.now();
    return new WorkerClient(this.#start, {
      onReady: () => {
        if (this.#isDown) this.#onState(this.#start.name, null);
        this.#isDown = false;
        this.#isReady = true;
      },
      onNews: this.#onNews,
      onEnd: (detail) => {
        if (this.#closing.signal.aborted) return;
        this.#deaths = performance.now() - beganAt > LASTS_MS ? 1 : this.#deaths + 1;
        this.#isDown = true;
        this.#isReady = false;
        this.#onState(this.#start.name, detail);
        void this.#again();
      },
    });
  }

  async #again(): Promise<void> {
    const { signal } = this.#closing;
    await wait(backOff(PAUSES, this.#deaths, Math.random), signal);
    if (!signal.aborted) this.#life = this.#begin();
  }
}
