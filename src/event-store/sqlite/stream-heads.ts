/** Numbers of one stream: its own, and its last revision. */
const [STREAM, REVISION, NUMBERS] = [0, 1, 2];

/** Streams are numbered from 1. */
const NO_STREAM = 0;

/**
 * The last revisions of streams that were written last. Each stream has one of so many places, by its number; of two that
 * have the same, the later one is remembered. New streams are numbered one after the other, so they leave each other alone.
 */
export class StreamHeads {
  readonly #most: number;
  readonly #numbers: Float64Array;

  constructor(most: number) {
    this.#most = most;
    this.#numbers = new Float64Array(most * NUMBERS);
  }

  /** Null where it is not remembered. */
  get(stream: number): number | null {
    const at = this.#placeOf(stream);
    return this.#numbers[at + STREAM] === stream ? (this.#numbers[at + REVISION] ?? null) : null;
  }

  put(stream: number, revision: number): void {
    const at = this.#placeOf(stream);
    this.#numbers[at + STREAM] = stream;
    this.#numbers[at + REVISION] = revision;
  }

  clear(): void {
    this.#numbers.fill(NO_STREAM);
  }

  #placeOf(stream: number): number {
    return (stream % this.#most) * NUMBERS;
  }
}
