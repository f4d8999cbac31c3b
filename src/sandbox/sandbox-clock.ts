/** The sandbox's own clock, in milliseconds since the Unix epoch. */
export type SandboxClock = {
  readonly now: () => number;
  /** Moves it forward, by milliseconds. */
  readonly advance: (byMs: number) => void;
};

/**
 * A clock that runs ahead of another by as much as it was advanced, so that three hours pass in a moment.
 *
 * @param under what it runs on: the system's clock, or a moment at which it stands still until it is advanced
 */
export const sandboxClock = (under: () => number): SandboxClock => {
  let aheadMs = 0;
  return {
    now: () => under() + aheadMs,
    advance: (byMs) => {
      aheadMs += byMs;
    },
  };
};
