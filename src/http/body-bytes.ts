/** What is first kept of a body that comes in pieces. */
const FIRST_BYTES = 4_096;

/** From this size on a body that was announced has room for all of it from the beginning. */
const LARGE_BYTES = 1_048_576;

/** Made once: each delivery would make two of them, half a microsecond of work. Nobody else is given it. */
const NO_BYTES = Buffer.alloc(0);

/**
 * The bytes of a body as it comes, in no more memory than twice its size: a sender may cut it into chunks of one byte, and
 * each piece kept by itself would take a hundred times as much. A body in one piece, as nearly all are, is not copied.
 *
 * A large one whose size was announced lies in memory that threads share: neither to make room for it nor to give it to
 * another thread copies it.
 */
export class BodyBytes {
  #bytes: Buffer = NO_BYTES;
  #size = 0;
  /** Whether there is room of its own to write behind the bytes. */
  #isOwn = false;

  /** @param announced the size that the sender has said, and may come; 0: none */
  constructor(announced = 0) {
    if (announced < LARGE_BYTES) return;
    this.#bytes = Buffer.from(new SharedArrayBuffer(announced));
    this.#isOwn = true;
  }

  get size(): number {
    return this.#size;
  }

  /** The memory that it takes: more than what came, where that came in pieces. */
  get room(): number {
    return this.#bytes.length;
  }

  add(piece: Buffer): void {
    const size = this.#size + piece.length;
    if (this.#size === 0 && !this.#isOwn) {
      this.#bytes = piece;
    } else {
      if (!this.#isOwn || size > this.#bytes.length) this.#grow(size);
      piece.copy(this.#bytes, this.#size);
    }
    this.#size = size;
  }

  #grow(size: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, size, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, this.#size);
    this.#bytes = larger;
    this.#isOwn = true;
  }

  /** All that came so far. Whoever is given it may give its memory away. */
  whole(): Buffer {
    if (this.#bytes === NO_BYTES) return Buffer.alloc(0);
    return this.#size === this.#bytes.length ? this.#bytes : this.#bytes.subarray(0, this.#size);
  }

  /** Lets go of what came. */
  clear(): void {
    this.#bytes = NO_BYTES;
    this.#size = 0;
    this.#isOwn = false;
  }
}
