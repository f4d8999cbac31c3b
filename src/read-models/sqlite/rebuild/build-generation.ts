import * as E from 'fp-ts/lib/Either.js';
import type { Position } from '../../../domain/ids.ts';
import type { EventStore, StoreUnavailable } from '../../../event-store/event-store.ts';
import type { Built, OnBuildProgress } from '../../build-progress.ts';
import type { BulkLoad } from './bulk-load.ts';
import type { LoadedPart, RebuildTasks } from './rebuild-tasks.ts';

type Store = Pick<EventStore, 'readAt'>;

const STOPPED: StoreUnavailable = { _tag: 'StoreUnavailable', detail: 'the build was stopped' };

/** Parts come back in any order, and go into the table in theirs, so that its rows grow at the end. */
class InOrder {
  readonly #waiting = new Map<number, LoadedPart>();
  readonly #take: (part: LoadedPart) => void;
  #next = 0;

  constructor(take: (part: LoadedPart) => void) {
    this.#take = take;
  }

  add(part: number, loaded: LoadedPart): void {
    this.#waiting.set(part, loaded);
    for (let next = this.#waiting.get(this.#next); next !== undefined; next = this.#waiting.get(this.#next)) {
      this.#waiting.delete(this.#next);
      this.#next += 1;
      this.#take(next);
    }
  }
}

/**
 * Loads everything up to a position into a new generation: orders stream by stream, each folded once from its whole
 * history; the trail is put in the order of positions at the end.
 */
export const buildGeneration = async (
  store: Store,
  tasks: RebuildTasks,
  load: BulkLoad,
  upTo: Position,
  onProgress: OnBuildProgress,
  signal: AbortSignal,
): Promise<E.Either<StoreUnavailable, Built>> => {
  let [events, done] = [0, 0];
  const failures: StoreUnavailable[] = [];
  const goesOn = (): boolean => failures.length === 0 && !signal.aborted;

  const inOrder = new InOrder((part) => {
    load.addPart(part);
    events += part.events;
    done += 1;
    onProgress(done / (tasks.parts + 1), events);
  });

  let nextPart = 0;
  const projectParts = async (): Promise<void> => {
    while (goesOn() && nextPart < tasks.parts) {
      const part = nextPart;
      nextPart += 1;
      const loaded = await tasks.part(part);
      if (E.isLeft(loaded)) failures.push(loaded.left);
      else inOrder.add(part, loaded.right);
    }
  };

  await Promise.all(Array.from({ length: tasks.width }, projectParts));
  const [failure] = failures;
  if (failure !== undefined) return E.left(failure);
  if (signal.aborted) return E.left(STOPPED);
  const head = await store.readAt([upTo])();
  if (E.isLeft(head)) return head;
  const rest = await tasks.rest();
  if (E.isLeft(rest)) return rest;
  for (const gathered of rest.right) load.addGathered(gathered);
  const [last] = head.right;
  if (last === undefined) return E.left({ _tag: 'StoreUnavailable', detail: `no event is at position ${upTo}` });
  load.finish({ position: upTo, at: last.recordedAt, eventId: last.id }, events);
  return E.right({ events, orders: load.orders });
};
