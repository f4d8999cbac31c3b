import { isDamage } from './damage.ts';
import type { Generations } from './generations.ts';

/** A disk that damages whatever is written to it would have read models built again and again. */
const NOT_AGAIN_WITHIN_MS = 60_000;

/**
 * Lets a generation serve no longer once a page of it is found damaged, so that whoever follows the log builds it anew; not
 * more than once a minute. The answer takes what was thrown, and tells whether the generation is given up: also where another
 * one who met the same was quicker.
 *
 * @param now milliseconds of a clock that only goes forward
 */
export const giveUpDamaged = (
  generations: Pick<Generations, 'serving' | 'swap'>,
  now: () => number = () => performance.now(),
): ((error: unknown) => boolean) => {
  let again = -Infinity;
  return (error) => {
    if (!isDamage(error) || now() < again) return false;
    try {
      const serving = generations.serving();
      if (serving !== 0 && !generations.swap(serving, 0) && generations.serving() !== 0) return false;
    } catch {
      // The file that says which one serves is damaged too: whoever opens it says so.
      return false;
    }
    again = now() + NOT_AGAIN_WITHIN_MS;
    return true;
  };
};
