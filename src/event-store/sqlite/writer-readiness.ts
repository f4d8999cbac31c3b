import { LOOK_EVERY_MS, Silence } from '../../concurrency/silence.ts';
import type { Readiness } from '../event-store.ts';
import type { NotWritable, WriterNews } from './writer-message.ts';

const PROBE_EVERY_MS = 1_000;

/** What readiness is known by. */
export type WriterSigns = {
  /** The oldest write that has no answer yet; undefined where all have one. */
  readonly oldest: () => object | undefined;
  /** Asks the writer to look whether there is room again. */
  readonly probe: () => void;
  readonly onNews: (news: WriterNews) => void;
};

const wordsOf = (seconds: number): string => `the disk has not answered a write for ${seconds} s`;

/** Whether a write could become durable now, as the writer's answers tell, and its silence. */
export class WriterReadiness {
  readonly #signs: WriterSigns;
  readonly #looking: NodeJS.Timeout;
  #answered: Readiness = { ready: true };
  /** Whether it was told that nothing more is written: each delivery hears so. */
  #hasStopped = false;
  /** Whether that was told. */
  #isReadOnly = false;
  /** Whether a look for room is due; one at a time, however many writes found none. */
  #probeIsDue = false;
  readonly #silence = new Silence();

  constructor(signs: WriterSigns) {
    this.#signs = signs;
    this.#looking = setInterval(() => this.look(), LOOK_EVERY_MS).unref();
  }

  get now(): Readiness {
    const { seconds } = this.#silence;
    return seconds === null ? this.#answered : { ready: false, detail: wordsOf(seconds) };
  }

  /** Done once a second: tells once of a disk that does not answer. */
  look(): void {
    if (!this.#silence.look(this.#signs.oldest())) return;
    this.#signs.onNews({ _tag: 'DiskSilent', detail: wordsOf(this.#silence.seconds ?? 0) });
  }

  /** A write was answered, whatever the answer is. */
  answered(): void {
    const seconds = this.#silence.answered();
    if (seconds !== null) this.#signs.onNews({ _tag: 'DiskAnswers', seconds });
  }

  /** There is room again, or the file system is not read-only any more. */
  writable(): void {
    if (this.#isReadOnly) this.#signs.onNews({ _tag: 'DiskWritable' });
    this.#isReadOnly = false;
    this.#answered = { ready: true };
  }

  /** A disk that is full or read-only is tried again by itself; after another failure only a restart knows what is on the disk. */
  notReady(state: NotWritable, detail: string): void {
    this.#answered = { ready: false, detail };
    if (state === 'failed' && !this.#hasStopped) this.#signs.onNews({ _tag: 'Stopped', detail });
    this.#hasStopped ||= state === 'failed';
    if (state === 'read-only' && !this.#isReadOnly) this.#signs.onNews({ _tag: 'DiskReadOnly', detail });
    this.#isReadOnly ||= state === 'read-only';
    if (state === 'failed' || this.#probeIsDue) return;
    this.#probeIsDue = true;
    setTimeout(() => this.#probe(), PROBE_EVERY_MS).unref();
  }

  /** The writer has ended; where nobody told it to, that is news, and its first reason stays. */
  ended(detail: string, isOrderly: boolean): void {
    clearInterval(this.#looking);
    this.#silence.answered();
    if (isOrderly) this.#answered = { ready: false, detail };
    else if (!this.#hasStopped) this.notReady('failed', detail);
  }

  #probe(): void {
    this.#probeIsDue = false;
    if (!this.#answered.ready) this.#signs.probe();
  }
}
