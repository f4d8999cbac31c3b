/**
 * Tells of something that happens, at once the first time; what follows within so many ms is told together at their end.
 * For those who look for themselves what there is: a message to another thread for each of hundreds of commits a second
 * takes time from deliveries.
 */
export const toldTogether = (everyMs: number, tell: () => void): (() => void) => {
  let isResting = false;
  let isDue = false;
  const tellNow = (): void => {
    isDue = false;
    isResting = true;
    tell();
    setTimeout(() => {
      isResting = false;
      if (isDue) tellNow();
    }, everyMs).unref();
  };
  return () => {
    if (isResting) isDue = true;
    else tellNow();
  };
};
