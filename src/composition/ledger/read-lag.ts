import * as E from 'fp-ts/lib/Either.js';
import { epochMsOf, type Instant } from '../../domain/instant.ts';
import type { Position } from '../../domain/ids.ts';
import type { EventStore, StoreUnavailable } from '../../event-store/event-store.ts';
import { isAt } from '../../read-models/is-at.ts';
import type { Checkpoint } from '../../read-models/read-models.ts';

/** Where the log ends, and how long ago the first event was recorded that is not included; 0 seconds where all are. */
export type ReadLag = { readonly head: Position | null; readonly seconds: number };

/** How far what includes the log up to a checkpoint is behind it. One event is read, none where nothing is missing. */
export const readLag = async (
  store: Pick<EventStore, 'head' | 'readAll'>,
  checkpoint: Checkpoint | null,
  now: () => Instant,
): Promise<E.Either<StoreUnavailable, ReadLag>> => {
  const asked = await store.head()();
  if (E.isLeft(asked)) return asked;
  const head = asked.right;
  if (head === null || isAt(checkpoint, head)) return E.right({ head, seconds: 0 });
  for await (const missing of store.readAll(checkpoint?.position ?? null)) {
    if (E.isLeft(missing)) return missing;
    const age = epochMsOf(now()) - epochMsOf(missing.right.recordedAt);
    return E.right({ head, seconds: Math.max(0, age) / 1_000 });
  }
  return E.right({ head, seconds: 0 });
};
