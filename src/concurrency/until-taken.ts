import * as E from 'fp-ts/lib/Either.js';
import { wait } from './wait.ts';

/**
 * Waits for what somebody else has, another process as a rule: it is looked at again and again, since nobody tells when it
 * is given back, and to wait within a library would hold the thread.
 *
 * @param take what was taken; null: somebody else has it
 * @param until as long as it is waited for, by `performance.now`; it is looked at once in any case
 * @returns null where it was not given back by then
 */
export const untilTaken = async <Failure, A>(
  take: () => E.Either<Failure, A | null>,
  until: number,
  lookEveryMs: number,
): Promise<E.Either<Failure, A | null>> => {
  for (;;) {
    const taken = take();
    if (E.isLeft(taken) || taken.right !== null || performance.now() >= until) return taken;
    await wait(lookEveryMs);
  }
};
