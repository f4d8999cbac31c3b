import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import type { StreamName } from '../domain/ids.ts';
import type { StoreUnavailable } from './event-store.ts';

/** Of one who has a stream; who comes behind waits for its end, and is told whether the store was away. */
class Turn {
  #waited: PromiseWithResolvers<StoreUnavailable | null> | null = null;

  get ended(): Promise<StoreUnavailable | null> {
    this.#waited ??= Promise.withResolvers();
    return this.#waited.promise;
  }

  end(away: StoreUnavailable | null): void {
    this.#waited?.resolve(away);
  }
}

/** The last of those that wait for each stream of a store. */
const lastTurns = new WeakMap<object, Map<StreamName, Turn>>();

const turnsOf = (store: object): Map<StreamName, Turn> => {
  const known = lastTurns.get(store);
  if (known !== undefined) return known;
  const turns = new Map<StreamName, Turn>();
  lastTurns.set(store, turns);
  return turns;
};

const isAway = (failure: { readonly _tag: string }): failure is StoreUnavailable => failure._tag === 'StoreUnavailable';

/**
 * Does what reads a stream and appends to it behind those of this process who do so already: they don't lose to each other
 * at the revision that they expect, over and over where they are many.
 *
 * Who waits while the store is away is told so with the one before, and does not wait for an end of his own.
 *
 * @param store whose stream it is
 */
export const inTurn =
  <Failure extends { readonly _tag: string }, A>(
    store: object,
    stream: StreamName,
    deed: TE.TaskEither<Failure, A>,
  ): TE.TaskEither<Failure | StoreUnavailable, A> =>
  async () => {
    const turns = turnsOf(store);
    const before = turns.get(stream);
    const turn = new Turn();
    turns.set(stream, turn);
    let away = before === undefined ? null : await before.ended;
    try {
      if (away !== null) return E.left(away);
      const outcome = await deed();
      if (E.isLeft(outcome) && isAway(outcome.left)) away = outcome.left;
      return outcome;
    } finally {
      if (turns.get(stream) === turn) turns.delete(stream);
      turn.end(away);
    }
  };
