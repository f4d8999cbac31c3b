import * as E from 'fp-ts/lib/Either.js';
import type { EventStore, StoreUnavailable } from '../event-store/event-store.ts';
import type { KeptCheckpoint } from './files/kept-checkpoints.ts';
import type { TreeFiles } from './files/tree-files.ts';
import { eventLeafHash } from './log-leaf.ts';

/** So many of the newest checkpoints are looked at, and so many of those before them. */
const NEWEST = 32;
const BEFORE = 32;

/** Which of the sizes that were signed are looked at: the newest, and others in even steps from the first. */
const lookedAt = (sizes: readonly number[]): readonly number[] => {
  const older = sizes.slice(0, -NEWEST);
  const step = Math.max(1, Math.ceil(older.length / BEFORE));
  return [...older.filter((_, i) => i % step === 0), ...sizes.slice(-NEWEST)];
};

/**
 * Whether the log has, at their places, the events that signed checkpoints end with, and the last two of the tree. The whole
 * of what was signed could be found only by reading the whole log. One that was put back from a backup and went on lacks
 * what its newest checkpoints end with, though it may have the tree's last event: a tree that was kept of both ends so.
 *
 * @param files hold a tree of so many leaves, `size`
 */
export const hasSignedEnds = async (
  store: Pick<EventStore, 'readAt'>,
  files: Pick<TreeFiles, 'positionOf' | 'readHashes'>,
  checkpoints: readonly KeptCheckpoint[],
  size: number,
): Promise<E.Either<StoreUnavailable, boolean>> => {
  const isIn = (end: number): boolean => end > 0 && end <= size;
  const signed = lookedAt(checkpoints.map((checkpoint) => checkpoint.size).filter(isIn));
  const ends = [...new Set([...signed, size - 1, size].filter(isIn))].map((end) => ({
    position: files.positionOf(end - 1),
    leaf: files.readHashes(0, end - 1, 1),
  }));
  if (ends.length === 0) return E.right(true);
  const events = await store.readAt(ends.map(({ position }) => position))();
  if (E.isLeft(events)) return events;
  const leaves = new Map(events.right.map((event) => [event.position, eventLeafHash(event)]));
  return E.right(ends.every(({ position, leaf }) => leaves.get(position)?.equals(leaf) === true));
};
