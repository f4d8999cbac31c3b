import * as E from 'fp-ts/lib/Either.js';
import { batchesOf, type ReadOptions, type Source } from './reading.ts';
import type { StoreFailure } from './store-failure.ts';

/** Reads again where a node says that another one leads: the client goes there with its next call (facts, Seen). */
export async function* whereverLed<A>(
  open: () => Source<A>,
  options: ReadOptions,
): AsyncGenerator<E.Either<StoreFailure, readonly A[]>, void, undefined> {
  for (const isLast of [false, true]) {
    let isElsewhere = false;
    for await (const batch of batchesOf(open, options)) {
      isElsewhere = !isLast && E.isLeft(batch) && batch.left._tag === 'NotLeader';
      if (!isElsewhere) yield batch;
    }
    if (!isElsewhere) return;
    // It leaves the node a moment after it has told the error.
    await new Promise(setImmediate);
  }
}
