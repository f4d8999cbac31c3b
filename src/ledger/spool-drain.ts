import * as E from 'fp-ts/lib/Either.js';
import { BytesUnderWay } from '../concurrency/bytes-under-way.ts';
import { inTimeWith } from '../concurrency/in-time.ts';
import type { StoreUnavailable } from '../event-store/event-store.ts';
import type { SpooledDelivery } from '../event-store/spool.ts';
import { appendSpooled, describeWaiting, setAside, type AppendSpooledDeps, type WaitingFor } from './append-spooled.ts';
import { DrainPauses, type PauseDeps } from './drain-pauses.ts';
import type { SpoolEvent } from './spool-event.ts';
import { SpoolLanes, type Lane } from './spool-lanes.ts';

export type DrainDeps = Omit<AppendSpooledDeps, 'onAnswer'> &
  PauseDeps & {
    readonly onEvent: (event: SpoolEvent) => void;
    /** Told what the store's answers say of it: that it is away, or there (null). */
    readonly onStore: (away: StoreUnavailable | null) => void;
    /** Told each time that what waits can't be read. */
    readonly onUnreadable: (detail: string) => void;
  };

export type Draining = {
  /** Says that something waits. */
  readonly wake: () => void;
  /** Says that the store took a delivery that did not come out of the spool. */
  readonly storeTook: () => void;
  /** Says that the connection to the store is there again: what waits is tried at once. */
  readonly storeIsBack: () => void;
  /** Begins nothing more, and waits a little for what is being appended; the others stay in the spool. */
  readonly close: () => Promise<void>;
};

/** What is on its way at its most: where an append takes 10 ms, more than six thousand a second. */
const MOST_IN_FLIGHT = 64;

/**
 * What is on its way together: to prove a body, to read it and to hand it over takes some ms for each 100 KB of it, and deliveries that
 * come meanwhile wait for that, and for what the store does with it.
 */
const MOST_BYTES = 262_144;
/** What a delivery counts at least. */
const LEAST_BYTES = 4_096;
/** One that has no answer for so long holds up no other: it may hang on a connection that was lost. */
const COUNTED_MS = 250;

/**
 * A delivery that failed so often, while the store took others, is set aside. With the pauses between them that takes a
 * minute and a half at least; failures that come by chance don't come so often in a row.
 */
const MOST_FAILURES_ALONE = 20;

/**
 * What no secret proves is tried so many at a time: there may be as many as the spool holds, and trying all of them again
 * and again would take all of the receiving thread's time, and the turn of those that are proved.
 */
const MOST_UNPROVED = 200;
/** Where one is proved at last, secrets that were missing may be there again: each lets some more be tried at once. */
const MORE_BEHIND_PROVED = 16;

/** At the end an append that gets no answer is not waited for: its delivery stays in the spool, and is recognised the next time. */
const LAST_ANSWERS_MS = 500;

/** Reading and appending what waits keeps the thread busy: deliveries that come meanwhile are received in between. */
const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

class Drain {
  readonly #deps: DrainDeps;
  readonly #lanes: SpoolLanes;
  readonly #closing = new AbortController();
  readonly #pauses: DrainPauses;
  readonly #inFlight = new Set<Promise<void>>();
  readonly #bytes = new BytesUnderWay(() => MOST_BYTES, COUNTED_MS);
  #running: Promise<void> | null = null;
  #changed = Promise.withResolvers<void>();
  #deliveries = 0;
  #isWaitingForSecrets = false;

  constructor(deps: DrainDeps) {
    this.#deps = deps;
    this.#lanes = new SpoolLanes(deps.spool);
    this.#pauses = new DrainPauses(deps, this.#closing.signal);
  }

  readonly wake = (): void => {
    if (this.#closing.signal.aborted) return;
    this.#running ??= this.#run();
    this.#changed.resolve();
  };

  readonly storeIsBack = (): void => {
    // Those on their way may hang on the connection that was lost: they don't hold up the others.
    this.#pauses.end();
    this.#changed.resolve();
  };

  readonly storeTook = (): void => this.#lanes.storeTook();

  readonly close = async (): Promise<void> => {
    this.#closing.abort();
    this.#changed.resolve();
    await this.#running;
    if (this.#inFlight.size === 0) return;
    await inTimeWith(this.#deps.wait)(LAST_ANSWERS_MS, Promise.all(this.#inFlight), undefined);
  };

  /** Ends when nothing waits, not even uncounted, in the very moment in which it sees that: whatever comes afterwards wakes it. */
  async #run(): Promise<void> {
    for (;;) {
      await turn();
      if (this.#closing.signal.aborted) return;
      const { isNow, inARow } = this.#pauses;
      const lane = isNow ? null : this.#lanes.next(inARow > 0 ? 1 : MOST_IN_FLIGHT, inARow);
      if (lane !== null) {
        this.#start(lane);
        continue;
      }
      if (this.#lanes.isEmpty() && !isNow && !this.#deps.spool.state().isCounting) {
        this.#running = null;
        const deliveries = this.#deliveries;
        this.#deliveries = 0;
        if (deliveries > 0) this.#deps.onEvent({ _tag: 'Drained', deliveries });
        return;
      }
      this.#changed = Promise.withResolvers();
      await this.#changed.promise;
    }
  }

  #start(lane: Lane): void {
    const drained = this.#drain(lane).finally(() => {
      this.#inFlight.delete(drained);
      this.#changed.resolve();
    });
    this.#inFlight.add(drained);
  }

  /** Appends what waits of a key, one after the other, until none is left or one fails. */
  async #drain(lane: Lane): Promise<void> {
    const { spool, onUnreadable } = this.#deps;
    for (;;) {
      const first = this.#closing.signal.aborted ? E.right(null) : await spool.firstOf(lane.key)();
      if (E.isLeft(first)) {
        onUnreadable(first.left.detail);
        this.#lanes.passBy(lane);
        void this.#pause();
        return;
      }
      if (first.right === null) {
        this.#lanes.end(lane);
        return;
      }
      const failure = await this.#appendInTurn(first.right);
      if (failure !== null) {
        this.#failed(lane, first.right, failure);
        return;
      }
      if (lane.failures > 0) this.#lanes.tryUnproved(MORE_BEHIND_PROVED);
      this.#lanes.isThrough(lane);
      await turn();
    }
  }

  async #appendInTurn(entry: SpooledDelivery): Promise<WaitingFor | null> {
    const left = await this.#bytes.enter(Math.max(entry.verified.body.length, LEAST_BYTES));
    try {
      return await this.#append(entry);
    } finally {
      left();
    }
  }

  /** Why a delivery's turn is not over; null where it is. */
  async #append(entry: SpooledDelivery): Promise<WaitingFor | null> {
    const fate = await appendSpooled({ ...this.#deps, onAnswer: this.#answered }, entry);
    if (fate._tag === 'Waits') return fate.failure;
    if (fate._tag === 'Taken') this.#lanes.storeTook();
    this.#deliveries += 1;
    return null;
  }

  readonly #answered = (): void => {
    this.#deps.onStore(null);
    this.#pauses.beginAnew();
    this.#changed.resolve();
  };

  /** A delivery that fails while others don't is passed by; where all fail, the store is away. */
  #failed(lane: Lane, entry: SpooledDelivery, failure: WaitingFor): void {
    this.#lanes.failed(lane);
    if (lane.alone >= MOST_FAILURES_ALONE) {
      const problem = `the event store took others, and not this one in ${lane.alone} tries: ${describeWaiting(failure)}`;
      setAside(this.#deps, entry, problem);
      this.#deliveries += 1;
      this.#lanes.isThrough(lane);
      this.#lanes.passBy(lane);
      return;
    }
    if (failure._tag === 'Unproved') {
      this.#lanes.isUnproved(lane);
      void this.#waitForSecrets();
      return;
    }
    const isAway = failure._tag === 'StoreUnavailable' && (lane.alone === 0 || this.#pauses.inARow > 0);
    if (!isAway) {
      void this.#rest(lane);
      return;
    }
    this.#lanes.passBy(lane);
    this.#deps.onStore(failure);
    void this.#pause();
  }

  /** Nothing is tried for a while. */
  async #pause(): Promise<void> {
    await this.#pauses.begin();
    this.#changed.resolve();
  }

  /** What no secret proves is not tried for a while, and then some of it. */
  async #waitForSecrets(): Promise<void> {
    if (this.#isWaitingForSecrets) return;
    this.#isWaitingForSecrets = true;
    for (let first = this.#lanes.firstUnproved(); first !== null; first = this.#lanes.firstUnproved()) {
      await this.#pauses.rest(first.failures);
      if (this.#closing.signal.aborted) break;
      this.#lanes.tryUnproved(MOST_UNPROVED);
      this.#changed.resolve();
    }
    this.#isWaitingForSecrets = false;
  }

  /** A key alone is not tried for a while. */
  async #rest(lane: Lane): Promise<void> {
    await this.#pauses.rest(lane.failures);
    this.#lanes.rested(lane);
    this.#changed.resolve();
  }
}

/**
 * Appends what waits in a spool, each with its original received time, until none is left: many at once, those of one key
 * one after the other in order of arrival. What the store will never take is set aside, and so is what it has not taken
 * for long while it took others; anything else that fails is tried again, and holds up none but those of its key.
 */
export const startDraining = (deps: DrainDeps): Draining => {
  const { wake, storeTook, storeIsBack, close } = new Drain(deps);
  // What waited when the ledger was stopped.
  wake();
  return { wake, storeTook, storeIsBack, close };
};
