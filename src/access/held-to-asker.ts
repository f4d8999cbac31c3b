import * as TE from 'fp-ts/lib/TaskEither.js';
import type { QueryDependencies } from '../queries/query-dependencies.ts';
import { mayStillAsk } from './asker.ts';

type Writing = Pick<QueryDependencies, 'store' | 'release'>;

/** What it is told by is seen by nobody: `QueryLimits.admit` answers in its place. */
const REFUSED = TE.left({ _tag: 'AppendRefused', detail: 'who asked for it may not any more' } as const);

/**
 * What writes for whoever asks, for as long as they may ask: it is looked at once more right before each append. Reading a body,
 * a bank file or the figures of a month takes a while, and their key may be gone by then.
 */
export const heldToAsker = ({ store, release }: Writing): Writing => ({
  store: {
    ...store,
    append: (...request) => {
      const append = store.append(...request);
      return () => (mayStillAsk() ? append() : REFUSED());
    },
  },
  // Whole once it has begun: an order event without its release would be left to a repeat.
  release: (request) => {
    const released = release(request);
    return () => (mayStillAsk() ? released() : REFUSED());
  },
});
