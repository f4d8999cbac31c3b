import { instantOf, type Instant } from '../domain/instant.ts';

/** The system's clock as instants. Thousands of deliveries share a millisecond, so its text is made once. */
export const systemClock = (): (() => Instant) => {
  let at = Number.NaN;
  let text: Instant = instantOf(0);
  return () => {
    const now = Date.now();
    if (now !== at) {
      at = now;
      text = instantOf(now);
    }
    return text;
  };
};
