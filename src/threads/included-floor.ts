import { wait } from '../concurrency/wait.ts';
import { guarded } from '../domain/guarded.ts';
import { positionNumber } from '../domain/position.ts';
import type { Checkpoint } from '../read-models/read-models.ts';

/**
 * Memory that threads share: the position up to which read models are followed, -1: none is; and the stamp of the generation
 * that is, 0: none is.
 */
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

const [FLOOR, FOLLOWED] = [0, 1] as const;
const NONE = 0n;

/** What an open generation is known by: its stamp, and how far it is. */
export type Reached = { readonly stamp: number; readonly checkpoint: Checkpoint | null };

/** `isFollowed`: it is what is followed, and only behind. */
type LetGo<A> = (opened: A, isFollowed: boolean) => Promise<void>;

const nothing = (): SharedFloor => {
  const shared = new BigInt64Array(new SharedArrayBuffer(2 * BigInt64Array.BYTES_PER_ELEMENT));
  shared[FLOOR] = numberOf(null);
  shared[FOLLOWED] = NONE;
  return shared;
};

/**
 * What is answered from: the generation that is followed, which was held to this log, as far as it was followed. Another
 * process may build one and take it into use, and it may be another ledger's process. Until the one that follows the log does
 * so with that one, it may be of another log, and is behind what was followed before: answers from it would lack what others
 * have had, or what was waited for.
 */
export class IncludedFloor {
  readonly shared: SharedFloor;

  constructor(shared: SharedFloor = nothing()) {
    this.shared = shared;
  }

  /** To be called before anybody is told that a checkpoint is reached; another log may have an earlier one. */
  set(checkpoint: Checkpoint | null): void {
    Atomics.store(this.shared, FLOOR, numberOf(checkpoint));
  }

  /** What is answered from, now that it is known to be of this log; null: nothing is. */
  follow(stamp: number | null): void {
    Atomics.store(this.shared, FOLLOWED, stamp === null ? NONE : BigInt(stamp));
  }

  /**
   * What is open once it is what is followed, and includes as much, to be used before anything else has its turn; null where
   * nothing serves, or is followed. Rejects where it stays behind, or another one.
   *
   * @param letGo of what is neither: it is opened anew
   */
  async reachedBy<A>(open: () => A | null, at: (opened: A) => Reached, letGo: LetGo<A>): Promise<A | null> {
    const giveUpAt = performance.now() + WITHIN_MS;
    for (;;) {
      const followed = Atomics.load(this.shared, FOLLOWED);
      const opened = followed === NONE ? null : open();
      if (opened === null) return null;
      const { stamp, checkpoint } = at(opened);
      const isFollowed = BigInt(stamp) === followed;
      if (isFollowed && numberOf(checkpoint) >= Atomics.load(this.shared, FLOOR)) return opened;
      await letGo(opened, isFollowed);
      if (performance.now() >= giveUpAt) throw new Error('the read models are not as far yet');
      await wait(LOOK_EVERY_MS);
    }
  }
}
