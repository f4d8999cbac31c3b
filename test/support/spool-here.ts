import * as E from 'fp-ts/lib/Either.js';
import type { Spool } from '../../src/event-store/spool.ts';
import type { KeeperEnd, KeeperOptions } from '../../src/event-store/spool/keeper-message.ts';
import { SpoolKeeper } from '../../src/event-store/spool/spool-keeper.ts';
import type { SpoolOpenError } from '../../src/event-store/spool/spool-open-error.ts';
import { SqliteSpool, type SpoolOptions } from '../../src/event-store/spool/sqlite-spool.ts';

/** What a test has to say of the keeper. */
type Here = {
  /** Whether the commit of a write that is asked for now fails although it is in the file. */
  readonly losesCommit?: () => boolean;
  /** So many rows are counted at once. */
  readonly rowsAtOnce?: number;
  /** What the rows wait for that are counted behind the opening. */
  readonly beforeRows?: () => Promise<void>;
};

/** A keeper in this very thread, as one in another is: what goes over is copied or given away, and answers come later. */
const keeperHere = (
  options: KeeperOptions,
  { losesCommit = () => false, rowsAtOnce, beforeRows = () => Promise.resolve() }: Here,
): KeeperEnd => {
  const keeper = new SpoolKeeper(options, rowsAtOnce);
  return {
    ask: async (question, transfer) => {
      const sent = structuredClone(question, { transfer: [...transfer] });
      await (sent._tag === 'NextRows' ? beforeRows() : Promise.resolve());
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
  options: Partial<SpoolOptions> & Here = {},
  locks: KeeperOptions['locks'] = [],
): Promise<E.Either<SpoolOpenError, Spool>> =>
  SqliteSpool.open({ mostBytes: 1e7, longestBody: 1_000, ...options }, keeperHere({ file, locks }, options));
