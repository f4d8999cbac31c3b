import { availableParallelism } from 'node:os';
import * as E from 'fp-ts/lib/Either.js';
import { businessCalendar } from '../domain/business-day.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { RebuildDeps } from '../read-models/sqlite/rebuild/rebuild.ts';
import { LocalTasks, localTasks, partTasks } from '../read-models/sqlite/rebuild/rebuild-tasks.ts';
import { copyingShare, localLog } from './local-log.ts';
import { rebuildPool } from './rebuild-pool.ts';
import type { LedgerLocation } from './ledger-location.ts';
import type { PoolState } from './task-pool.ts';

/** Fewer tasks than these are done before a thread would have started. */
const FEW_TASKS = 4;
const MOST_THREADS = 4;

/**
 * How a build's tasks are run: where it is called for a small log, else in threads of this priority, one for each core.
 *
 * @param onState told where one of these hangs
 */
export const buildTasks =
  (
    store: Pick<EventStore, 'readAll'>,
    { location, timeZone }: { readonly location: LedgerLocation; readonly timeZone: string },
    priority: number,
    onState?: (state: PoolState) => void,
  ): RebuildDeps['tasksUpTo'] =>
  async (upTo, onProgress, signal) => {
    const before = copyingShare(location);
    const onCopy: typeof onProgress = (share, events) => onProgress(share * before, events);
    const local = await localLog(store, location, 'replay', upTo, onCopy, signal);
    if (E.isLeft(local)) return local;
    const { log, location: at, close: closeLog } = local.right;
    const parts = await log.streamParts()();
    if (E.isLeft(parts)) {
      await closeLog();
      return parts;
    }
    const onTask: typeof onProgress = (share, events) => onProgress(before + share * (1 - before), events);
    if (partTasks(parts.right) < FEW_TASKS) {
      const tasks = localTasks(new LocalTasks(log, upTo, businessCalendar(timeZone)), parts.right);
      return E.right({ tasks, onProgress: onTask, close: closeLog });
    }
    const threads = Math.max(1, Math.min(availableParallelism(), MOST_THREADS));
    const { tasks, close } = rebuildPool(
      { location: at, timeZone, upTo, priority },
      threads,
      partTasks(parts.right),
      onState,
    );
    return E.right({
      tasks,
      onProgress: onTask,
      close: async () => {
        await close();
        await closeLog();
      },
    });
  };
