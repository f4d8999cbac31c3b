import type { Readiness } from '../event-store.ts';
import type { WriterNews } from './writer-message.ts';

const PROBE_EVERY_MS = 1_000;
const LOOK_EVERY_MS = 1_000;
/**
 * A write that is still the oldest one at so many looks in a row waits for a disk that hangs. Looks are counted, not the time:
 * where this thread stood still, stopped by a signal say, an answer may have come that was not read yet.
 */
const SILENT_AFTER_LOOKS = 5;

/** What readiness is known by. */
export type WriterSigns = {
  /** The oldest write that has no answer yet; undefined where all have one. */
  readonly oldest: () => object | undefined;
  /** Asks the writer to look whether there is room again. */
  readonly probe: () => void;
  readonly onNews: (news: WriterNews) => void;
};

/** Whether a write could become durable now, as the writer's answers tell, and its silence. */
export class WriterReadiness {
  readonly #signs: WriterSigns;
  readonly #looking: NodeJS.Timeout;
  #answered: Readiness = { ready: true };
  /** Whether it was told that nothing more is written: each delivery hears so. */
  #hasStopped = false;
  /** Whether a look for room is due; one at a time, however many writes found none. */
  #probeIsDue = false;
  #seen: object | undefined;
  /** For how many looks the oldest write has had no answer. */
  #looks = 0;

  constructor(signs: WriterSigns) {
    this.#signs = signs;
    this.#looking = setInterval(() => this.look(), LOOK_EVERY_MS).unref();
  }

  get now(): Readiness {
    return this.#isSilent() ? { ready: false, detail: this.#silence() } : this.#answered;
  }

  /** Done once a second: tells once of a disk that does not answer. */
  look(): void {
    const oldest = this.#signs.oldest();
    this.#looks = oldest !== undefined && oldest === this.#seen ? this.#looks + 1 : 0;
    this.#seen = oldest;
    if (this.#looks === SILENT_AFTER_LOOKS) this.#signs.onNews({ _tag: 'DiskSilent', detail: this.#silence() });
  }

  /** A write was answered, whatever the answer is. */
  answered(): void {
    if (this.#isSilent()) this.#signs.onNews({ _tag: 'DiskAnswers', seconds: this.#seconds() });
    this.#looks = 0;
  }

  /** There is room again. */
  writable(): void {
    this.#answered = { ready: true };
  }

  /** A full disk is tried again by itself; after another failure only a restart knows what is on the disk. */
  notReady(state: 'full' | 'failed', detail: string): void {
    this.#answered = { ready: false, detail };
    if (state === 'failed' && !this.#hasStopped) this.#signs.onNews({ _tag: 'Stopped', detail });
    this.#hasStopped ||= state === 'failed';
    if (state !== 'full' || this.#probeIsDue) return;
    this.#probeIsDue = true;
    setTimeout(() => this.#probe(), PROBE_EVERY_MS).unref();
  }

  /** The writer has ended. */
  ended(detail: string): void {
    clearInterval(this.#looking);
    this.#looks = 0;
    this.#answered = { ready: false, detail };
  }

  #isSilent(): boolean {
    return this.#looks >= SILENT_AFTER_LOOKS;
  }

  #seconds(): number {
    return (this.#looks * LOOK_EVERY_MS) / 1_000;
  }

  #silence(): string {
    return `the disk has not answered a write for ${this.#seconds()} s`;
  }

  #probe(): void {
    this.#probeIsDue = false;
    if (!this.#answered.ready) this.#signs.probe();
  }
}
