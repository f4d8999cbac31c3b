import { inTime } from './in-time.ts';

/** Those who do something to one thing: the last of them, which the next waits for, and how many have come to their end. */
type Queue = { last: Turn; ended: number };

/** Of one who has a thing, or waits for it. */
class Turn {
  #waitedFor: PromiseWithResolvers<null> | null = null;

  get ended(): Promise<null> {
    this.#waitedFor ??= Promise.withResolvers();
    return this.#waitedFor.promise;
  }

  end(): void {
    this.#waitedFor?.resolve(null);
  }
}

/** Where nobody comes to an end for so long, the one whose turn it is waits for an answer that may never come. */
const PATIENCE_MS = 250;

const queues = new WeakMap<object, Map<string, Queue>>();

const queuesOf = (of: object): Map<string, Queue> => {
  const known = queues.get(of);
  if (known !== undefined) return known;
  const made = new Map<string, Queue>();
  queues.set(of, made);
  return made;
};

/** Waits until one is through, or until nobody of its queue has come to an end for a while. */
const passed = async (before: Turn, queue: Queue): Promise<void> => {
  let ended = -1;
  while (ended !== queue.ended) {
    ended = queue.ended;
    if ((await inTime(PATIENCE_MS, before.ended, 'late')) !== 'late') return;
  }
};

/**
 * Does what reads a thing and writes to it behind those of this process who do so already: they don't lose to each other
 * at the revision that they expect, over and over where they are many. Nobody relies on being alone, so whoever waits behind
 * one that has no answer goes on without him.
 *
 * @param of what the thing is of, such as a store
 * @param name of the thing, such as a stream
 */
export const behindOthers =
  <A>(of: object, name: string, deed: () => Promise<A>): (() => Promise<A>) =>
  async () => {
    const turn = new Turn();
    const waiting = queuesOf(of);
    const queue = waiting.get(name) ?? { last: turn, ended: 0 };
    const before = queue.last;
    queue.last = turn;
    waiting.set(name, queue);
    if (before !== turn) await passed(before, queue);
    try {
      return await deed();
    } finally {
      queue.ended += 1;
      if (queue.last === turn) waiting.delete(name);
      turn.end();
    }
  };
