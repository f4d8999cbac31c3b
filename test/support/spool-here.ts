import * as E from 'fp-ts/lib/Either.js';
import type { Spool } from '../../src/event-store/spool.ts';
import type { KeeperEnd, KeeperOptions } from '../../src/event-store/spool/keeper-message.ts';
import { SpoolKeeper } from '../../src/event-store/spool/spool-keeper.ts';
import type { SpoolOpenError } from '../../src/event-store/spool/spool-open-error.ts';
import { SqliteSpool, type SpoolOptions } from '../../src/event-store/spool/sqlite-spool.ts';

/**
 * A keeper in this very thread, as one in another is: what goes over is copied or given away, and answers come later.
 *
 * @param losesCommit whether the commit of a write that is asked for now fails although it is in the file
 */
const keeperHere = (options: KeeperOptions, losesCommit: () => boolean): KeeperEnd => {
  const keeper = new SpoolKeeper(options);
  return {
    ask: async (question, transfer) => {
      const sent = structuredClone(question, { transfer: [...transfer] });
      await Promise.resolve();
      const answer = keeper.answer(sent);
      if (sent._tag !== 'Write' || !losesCommit()) return E.right(structuredClone(answer));
      keeper.close();
      return E.right({ _tag: 'Failed', detail: 'SQLITE_IOERR_FSYNC', isBroken: true });
    },
    close: () => {
      keeper.close();
      return Promise.resolve();
    },
  };
};

/** A spool whose file this very thread has: it needs no time but turns of the event loop. */
export const openSpoolHere = (
  file: string,
  options: Partial<SpoolOptions> & { readonly losesCommit?: () => boolean } = {},
  locks: KeeperOptions['locks'] = [],
): Promise<E.Either<SpoolOpenError, Spool>> =>
  SqliteSpool.open(
    { mostBytes: 1e7, longestBody: 1_000, ...options },
    keeperHere({ file, locks }, options.losesCommit ?? (() => false)),
  );
