import type * as E from 'fp-ts/lib/Either.js';
import type { Spool } from '../event-store/spool.ts';
import type { KeeperOptions } from '../event-store/spool/keeper-message.ts';
import type { SpoolOpenError } from '../event-store/spool/spool-open-error.ts';
import { SqliteSpool, type SpoolOptions } from '../event-store/spool/sqlite-spool.ts';
import { LastingThread, type OnThreadState } from './lasting-thread.ts';
import { spoolProtocol } from './spool-message.ts';

/** As the thread is named to operators. */
export const SPOOL_THREAD = 'spool';

/**
 * Opens the spool of a ledger that serves, or makes it where there is none; its file is in the data directory, which is there,
 * and which no other ledger uses. A thread of its own has the file: where that dies, nothing is kept until the next one has
 * read the file anew.
 */
export const openThreadedSpool = (
  keeper: KeeperOptions,
  options: SpoolOptions,
  onState: OnThreadState = () => undefined,
): Promise<E.Either<SpoolOpenError, Spool>> => {
  const thread = new LastingThread(
    {
      name: SPOOL_THREAD,
      file: new URL('./spool-thread.ts', import.meta.url),
      data: keeper,
      protocol: spoolProtocol,
    },
    onState,
  );
  return SqliteSpool.open(options, {
    ask: (question, transfer) => thread.current().ask(question, transfer),
    close: () => thread.close(),
  });
};
