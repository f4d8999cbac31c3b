const lasts = new WeakMap<object, Promise<unknown>>();

/**
 * Does something behind all others of this process that do so with the same thing, and never beside them, however long they
 * take: for what has to be decided over all that the others have done. Whoever can be decided again by an expected revision
 * uses `behindOthers`, which waits for nobody for ever.
 */
export const oneByOne = async <A>(of: object, deed: () => Promise<A>): Promise<A> => {
  const before = lasts.get(of) ?? Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<undefined>();
  lasts.set(of, promise);
  try {
    await before;
    return await deed();
  } finally {
    resolve(undefined);
  }
};
