import * as E from 'fp-ts/lib/Either.js';
import { troubleLine } from '../domain/trouble.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { CommitSignal } from '../event-store/sqlite/commit-signal.ts';
import { Generations } from '../read-models/sqlite/generations.ts';
import { openStoreBeside } from './open-store-beside.ts';
import { folderLost, type LedgerLocation } from './ledger-location.ts';

/** The log and what was made of it. */
export type LogAndGenerations = { readonly store: EventStore; readonly generations: Generations };

/** Opens both for a thread; a Left says why that can't be. */
export const openLogAndGenerations = async (
  { location, readModelFile }: { readonly location: LedgerLocation; readonly readModelFile: string },
  signal: CommitSignal,
): Promise<E.Either<string, LogAndGenerations>> => {
  const store = await openStoreBeside(location, signal);
  if (E.isLeft(store)) return E.left(troubleLine(store.left));
  const generations = Generations.open(readModelFile, folderLost(location));
  if (E.isRight(generations)) return E.right({ store: store.right, generations: generations.right });
  await store.right.close();
  return E.left(generations.left.detail);
};
