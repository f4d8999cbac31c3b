import { availableParallelism } from 'node:os';
import { either as E } from 'fp-ts';
import { businessCalendar } from '../domain/business-day.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { SqlitePlace } from '../event-store/sqlite/sqlite-event-store.ts';
import type { RebuildDeps } from '../read-models/sqlite/rebuild.ts';
import { LocalTasks, localTasks } from '../read-models/sqlite/rebuild-tasks.ts';
import { rebuildPool } from './rebuild-pool.ts';

/** Fewer parts than these are built before a thread would have started. */
const FEW_PARTS = 4;
const MOST_THREADS = 4;

/** How a build's tasks are run: where it is called for a small log, else in threads of this priority, one for each core. */
export const buildTasks =
  (
    store: Pick<EventStore, 'readPart' | 'readHeaders' | 'streamParts'>,
    { place, timeZone }: { readonly place: SqlitePlace; readonly timeZone: string },
    priority: number,
  ): RebuildDeps['tasksUpTo'] =>
  async (upTo) => {
    const parts = await store.streamParts()();
    if (E.isLeft(parts) || parts.right < FEW_PARTS) {
      const local = new LocalTasks(store, upTo, businessCalendar(timeZone));
      return { tasks: localTasks(local), close: () => Promise.resolve() };
    }
    const threads = Math.max(1, Math.min(availableParallelism(), MOST_THREADS));
    return rebuildPool({ place, timeZone, upTo, priority }, threads);
  };
