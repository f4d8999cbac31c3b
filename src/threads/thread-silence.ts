import { Silence } from '../concurrency/silence.ts';

/**
 * What is built is sorted, and put on the disk, in one go each: of a million orders some seconds of a core, and gigabytes, for which
 * a slow disk takes more than a minute. So many looks, one a second, what builds may rightly let nothing else have its turn.
 */
export const LONGEST_SLICE_LOOKS = 120;

/** Whether a thread has answered nothing for long: by its loop, which says that it is there, and by the questions that it has. */
export class ThreadSilence {
  readonly #loop: Silence;
  readonly #questions: Silence;

  /** @param afterLooks how many looks in a row make a silence */
  constructor(afterLooks: number) {
    this.#loop = new Silence(afterLooks);
    this.#questions = new Silence(afterLooks);
  }

  /** How long it lasts, in seconds; null where there is none. */
  get seconds(): number | null {
    const [loop, questions] = [this.#loop.seconds, this.#questions.seconds];
    return loop === null || questions === null ? (loop ?? questions) : Math.max(loop, questions);
  }

  /**
   * Done once a second.
   *
   * @param ping by what its loop was asked that has not answered; undefined: it was not asked
   * @param question what has had no answer for longest of what should have one soon; undefined where nothing waits
   * @returns whether it begins with this look
   */
  look(ping: object | undefined, question: object | undefined): boolean {
    const before = this.seconds;
    this.#loop.look(ping);
    this.#questions.look(question);
    return before === null && this.seconds !== null;
  }

  /** Its loop said that it is there: how long the silence lasted that this ends, in seconds; null where it ends none. */
  turned(): number | null {
    return this.#ended(() => this.#loop.answered());
  }

  /** It answered a question, or is over: the same of that. */
  answered(): number | null {
    return this.#ended(() => {
      this.#loop.answered();
      this.#questions.answered();
    });
  }

  #ended(end: () => void): number | null {
    const before = this.seconds;
    end();
    return this.seconds === null ? before : null;
  }
}
