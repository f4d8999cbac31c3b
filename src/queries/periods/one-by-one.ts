import type * as TE from 'fp-ts/lib/TaskEither.js';

/** What the next close or opening of a month of a log waits for. */
const underWay = new WeakMap<object, Promise<void>>();

/**
 * Closes months and opens them again behind each other: each looks at the other months before it is noted, and a month
 * that was opened meanwhile would be an open one before a closed one, which nobody had asked for.
 *
 * @param log whose months they are
 */
export const oneByOne =
  <Failure, A>(log: object, deed: TE.TaskEither<Failure, A>): TE.TaskEither<Failure, A> =>
  async () => {
    const before = underWay.get(log);
    const { promise, resolve } = Promise.withResolvers<void>();
    underWay.set(log, promise);
    await before;
    try {
      return await deed();
    } finally {
      resolve();
    }
  };
