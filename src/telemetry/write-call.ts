import { write } from 'node:fs';

/** A write that has not returned for so long will not before somebody mends the disk, or lets the terminal go on. */
const RETURNS_WITHIN_MS = 1_000;

const writeOnce = (fd: number, bytes: Buffer, at: number): Promise<number> =>
  new Promise((resolve, reject) => {
    write(fd, bytes, at, (error, written) => {
      if (error === null) resolve(written);
      else reject(error);
    });
  });

/**
 * The call to the system that writes to a descriptor, one at a time, made by a thread of Node's own: it may not return, where
 * the disk hangs, or a terminal was stopped (Ctrl-S).
 */
export class WriteCall {
  readonly #fd: number;
  /** By `performance.now()`; null where none is under way. */
  #began: number | null = null;
  #isGivenUp = false;

  constructor(fd: number) {
    this.#fd = fd;
  }

  get isUnderWay(): boolean {
    return this.#began !== null;
  }

  /** Whoever writes to the descriptor now would wait behind the call, and could not be ended. */
  get isStuck(): boolean {
    return this.#began !== null && (this.#isGivenUp || performance.now() - this.#began >= RETURNS_WITHIN_MS);
  }

  /** Nobody waits any more for the call that is under way. */
  giveUp(): void {
    this.#isGivenUp = true;
  }

  /** Writes bytes from a place on; the answer is how many the system took. Rejects with what the system says. */
  readonly once = async (bytes: Buffer, at: number): Promise<number> => {
    [this.#began, this.#isGivenUp] = [performance.now(), false];
    try {
      return await writeOnce(this.#fd, bytes, at);
    } finally {
      this.#began = null;
    }
  };
}
