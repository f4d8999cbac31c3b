/** How often somebody at an address, and everybody together, may be wrong about a key within a minute. */
export type SignInTries = {
  /** How many seconds are to be waited before the next try; null where it may be made now. */
  readonly waitSeconds: (peer: string) => number | null;
  /** A try was wrong. */
  readonly wasWrong: (peer: string) => void;
};

/** Keys are random: ten are enough for who takes the wrong one, or half of one. */
const WRONG_OF_PEER = 10;
/** Whoever has many addresses has no more tries than this, and makes no more of them be remembered. */
const WRONG_IN_ALL = 100_000;
const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;

/**
 * Counts in the memory of this process. A minute begins with the first wrong try after the last minute, and is forgotten
 * as a whole.
 *
 * @param nowMs of a clock that never goes back
 */
export const signInTries = (
  nowMs: () => number = () => performance.now(),
  { ofPeer, inAll } = { ofPeer: WRONG_OF_PEER, inAll: WRONG_IN_ALL },
): SignInTries => {
  const wrong = new Map<string, number>();
  let all = 0;
  let endsMs = -Infinity;
  return {
    waitSeconds: (peer) => {
      const leftMs = endsMs - nowMs();
      const mayTry = all < inAll && (wrong.get(peer) ?? 0) < ofPeer;
      return leftMs <= 0 || mayTry ? null : Math.ceil(leftMs / SECOND_MS);
    },
    wasWrong: (peer) => {
      const now = nowMs();
      if (now >= endsMs) {
        wrong.clear();
        [all, endsMs] = [0, now + MINUTE_MS];
      }
      wrong.set(peer, (wrong.get(peer) ?? 0) + 1);
      all += 1;
    },
  };
};
