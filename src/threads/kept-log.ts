import { createPrivateKey, randomBytes } from 'node:crypto';
import * as E from 'fp-ts/lib/Either.js';
import type { EventStore } from '../event-store/event-store.ts';
import { LogKeeper, type KeeperNews } from '../proofs/log-keeper.ts';
import { systemClock } from '../telemetry/system-clock.ts';
import type { ProjectorOptions } from './projector-message.ts';

/** The keeper of the log's tree; null where none is to be kept, or where its files can't be used, which is told. */
export const openKeeper = (
  { log, location }: ProjectorOptions,
  store: EventStore,
  tell: (news: KeeperNews) => void,
): LogKeeper | null => {
  if (log === undefined) return null;
  try {
    const identity = { origin: log.origin, signingKey: createPrivateKey(log.signingKey) };
    return new LogKeeper({ dataDir: location.dataDir, identity, store, now: systemClock(), random: randomBytes, tell });
  } catch (error) {
    tell({ _tag: 'LogFailed', detail: error instanceof Error ? error.message : String(error) });
    return null;
  }
};

/** A subscription whose batches the keeper takes as well, behind whoever reads them: the log is then read once for both. */
export const taking = (subscribe: EventStore['subscribe'], keeper: LogKeeper | null): EventStore['subscribe'] =>
  keeper === null
    ? subscribe
    : async function* (after, signal) {
        let last = after;
        for await (const batch of subscribe(after, signal)) {
          yield batch;
          if (E.isLeft(batch)) continue;
          keeper.take(last, batch.right);
          last = batch.right.at(-1)?.position ?? last;
        }
      };
