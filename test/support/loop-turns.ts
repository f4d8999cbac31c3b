/** Counts the turns of this thread's loop, until it is stopped. */
export const loopTurns = (): { readonly now: () => number; readonly stop: () => void } => {
  let turns = 0;
  let next = setImmediate(function count() {
    turns += 1;
    next = setImmediate(count);
  });
  return {
    now: () => turns,
    stop: () => {
      clearImmediate(next);
    },
  };
};
