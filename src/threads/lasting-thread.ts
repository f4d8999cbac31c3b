import { backOff, type BackOff } from '../concurrency/back-off.ts';
import { LOOK_EVERY_MS } from '../concurrency/silence.ts';
import { wait } from '../concurrency/wait.ts';
import { ThreadSilence } from './thread-silence.ts';
import { WorkerClient, type ThreadStart } from './worker-client.ts';

/** How a thread changed: it died, it works again, or it has given no answer for `seconds`, and gives some again. */
export type ThreadState =
  | { readonly _tag: 'Down'; readonly problem: string }
  | { readonly _tag: 'Works' }
  | { readonly _tag: 'Silent'; readonly seconds: number }
  | { readonly _tag: 'Answers'; readonly seconds: number }
  /** It has ended with the work that it was for: nobody waits for it any more, whatever became of it. */
  | { readonly _tag: 'Over' };

/** Told of each change of a thread. Where one goes down, its silence is over. */
export type OnThreadState = (name: string, state: ThreadState) => void;

/** How a thread is started that lasts. */
export type LastingStart<Question, Answer, Note, News> = ThreadStart<Question, Answer, Note, News> & {
  /**
   * Whether it is silent too where its loop turns and no question is answered: not of a thread some of whose questions wait for
   * what is to come.
   */
  readonly answersSoon?: boolean;
  /** For how many looks, one a second, it may rightly let nothing else have its turn; left out: the usual. */
  readonly silentAfterLooks?: number;
};

/** Before a thread that died is started again. */
const PAUSES: BackOff = { firstMs: 100, longestMs: 30_000 };

/** One that has worked for so long and dies has done so once, not once more. */
const LASTS_MS = 60_000;

/** Longer than of a disk: a question about the past may rightly take some seconds of a thread. */
const SILENT_AFTER_LOOKS = 15;

/** A thread that is started again when it dies, with pauses, until it is closed. What it was asked has no answer then. */
export class LastingThread<Question, Answer, Note = never, News = never> {
  readonly #start: LastingStart<Question, Answer, Note, News>;
  readonly #onNews: (news: News) => void;
  readonly #onState: OnThreadState;
  readonly #closing = new AbortController();
  readonly #silence: ThreadSilence;
  #looking: NodeJS.Timeout | undefined;
  #life: WorkerClient<Question, Answer, Note, News> | null = null;
  #deaths = 0;
  #isDown = false;
  #isReady = false;

  constructor(
    start: LastingStart<Question, Answer, Note, News>,
    onState: OnThreadState,
    onNews: (news: News) => void = () => undefined,
  ) {
    this.#start = start;
    this.#silence = new ThreadSilence(start.silentAfterLooks ?? SILENT_AFTER_LOOKS);
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

  /** Done once a second: tells once of a silence that begins. */
  look(): void {
    const question = this.#start.answersSoon === true ? this.#life?.oldest : undefined;
    if (this.#silence.look(this.#life?.ping(), question))
      this.#tell({ _tag: 'Silent', seconds: this.#silence.seconds ?? 0 });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    clearInterval(this.#looking);
    await this.#life?.close();
  }

  #begin(): WorkerClient<Question, Answer, Note, News> {
    const beganAt = performance.now();
    if (!this.#closing.signal.aborted) {
      this.#looking ??= setInterval(() => this.look(), LOOK_EVERY_MS).unref();
    }
    return new WorkerClient(this.#start, {
      onReady: () => {
        if (this.#isDown) this.#tell({ _tag: 'Works' });
        this.#isDown = false;
        this.#isReady = true;
      },
      onNews: this.#onNews,
      onAnswer: () => this.#answers(this.#silence.answered()),
      onPong: () => this.#answers(this.#silence.turned()),
      onEnd: (detail) => {
        if (this.#closing.signal.aborted) return;
        this.#deaths = performance.now() - beganAt > LASTS_MS ? 1 : this.#deaths + 1;
        this.#isDown = true;
        this.#isReady = false;
        this.#silence.answered();
        this.#tell({ _tag: 'Down', problem: detail });
        void this.#again();
      },
    });
  }

  #answers(seconds: number | null): void {
    if (seconds !== null) this.#tell({ _tag: 'Answers', seconds });
  }

  #tell(state: ThreadState): void {
    this.#onState(this.#start.name, state);
  }

  async #again(): Promise<void> {
    const { signal } = this.#closing;
    await wait(backOff(PAUSES, this.#deaths, Math.random), signal);
    if (!signal.aborted) this.#life = this.#begin();
  }
}
