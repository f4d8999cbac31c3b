import { wait } from '../concurrency/wait.ts';
import { guarded } from '../domain/guarded.ts';
import { positionNumber } from '../domain/position.ts';
import type { Checkpoint } from '../read-models/read-models.ts';

/** Memory that threads share: the position up to which read models are followed; -1: none is. */
export type SharedFloor = BigInt64Array<SharedArrayBuffer>;

export const SharedFloorData = guarded(
  'shared floor',
  (u): u is SharedFloor => u instanceof BigInt64Array && u.buffer instanceof SharedArrayBuffer,
);

/** How long an answer waits, as long as one for a position may (docs/spec/http.md, Position). */
const WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 10;

const numberOf = (checkpoint: Checkpoint | null): bigint =>
  checkpoint === null ? -1n : BigInt(positionNumber(checkpoint.position));

/**
 * Below which nothing is answered. Another process may build a generation and take it into use; until the one that follows
 * the log does so with that one, it is behind what was followed before, and answers from it would lack what others have had,
 * or what was waited for.
 */
export class IncludedFloor {
  readonly shared: SharedFloor;

  constructor(shared: SharedFloor = new BigInt64Array(new SharedArrayBuffer(8)).fill(numberOf(null))) {
    this.shared = shared;
  }

  /** To be called before anybody is told that a checkpoint is reached; another log may have an earlier one. */
  set(checkpoint: Checkpoint | null): void {
    Atomics.store(this.shared, 0, numberOf(checkpoint));
  }

  /**
   * What is open once it includes as much, to be used before anything else has its turn; null where nothing serves. Rejects
   * where it stays behind.
   *
   * @param letGo of what is behind: it is opened anew
   */
  async reachedBy<A>(
    open: () => A | null,
    checkpointOf: (opened: A) => Checkpoint | null,
    letGo: (opened: A) => Promise<void> = () => Promise.resolve(),
  ): Promise<A | null> {
    const giveUpAt = performance.now() + WITHIN_MS;
    for (;;) {
      const opened = open();
      if (opened === null || numberOf(checkpointOf(opened)) >= Atomics.load(this.shared, 0)) return opened;
      await letGo(opened);
      if (performance.now() >= giveUpAt) throw new Error('the read models are not as far yet');
      await wait(LOOK_EVERY_MS);
    }
  }
}
