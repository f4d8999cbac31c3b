const USUAL: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT'];

/**
 * Resolves at the first SIGTERM or SIGINT; further ones, which npm and terminals send, change nothing, up to the very end.
 *
 * @param also further signals that ask for it
 */
export const askedToStop = (...also: readonly NodeJS.Signals[]): Promise<NodeJS.Signals> =>
  new Promise((stop) => {
    for (const signal of [...USUAL, ...also]) process.on(signal, stop);
    // When nothing is left to do. An end without it takes the handlers down first, and a late signal would then be the end.
    process.once('beforeExit', () => process.exit());
  });
