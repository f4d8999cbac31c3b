import * as E from 'fp-ts/lib/Either.js';
import { wait } from '../concurrency/wait.ts';
import type { Position } from '../domain/ids.ts';
import { epochMsOf, type Instant } from '../domain/instant.ts';
import type { UnreadableEvent } from '../domain/unreadable-event.ts';
import type { RecordedEvent } from '../domain/recorded-event.ts';
import type { EventStore, StoreUnavailable } from '../event-store/event-store.ts';
import { isAt } from './is-at.ts';
import { projectBatch, type Batch, type ProjectionBatch } from './projection-batch.ts';
import { StreamMemory } from './stream-memory.ts';
import type { Checkpoint, ReadModelsUnavailable } from './read-models.ts';

/** Where projections are written. Both throw where the database fails. */
export type ProjectionTarget = {
  readonly checkpoint: () => Checkpoint | null;
  /** In one transaction with the checkpoint, if that is still where the batch begins; else nothing is changed. */
  readonly apply: (after: Position | null, batch: ProjectionBatch) => 'applied' | 'overtaken';
  /** Does a part of what a batch has left to be done beside the batches that follow. Whether more may be left. */
  readonly settle?: () => boolean;
};

/** Told of what happens on the way. */
export type RunnerEvents = {
  readonly onApplied: (checkpoint: Checkpoint, events: number) => void;
  /** Damaged events, which orders are folded without. */
  readonly onUnreadable: (events: readonly UnreadableEvent[]) => void;
};

/** `cause`: what the database threw. */
type TargetFailed = ReadModelsUnavailable & { readonly cause?: unknown };

export type RunnerFailure = StoreUnavailable | TargetFailed;

type Store = Pick<EventStore, 'readStream' | 'subscribe'>;

const isBatch = (events: readonly RecordedEvent[]): events is Batch => events.length > 0;

const failed = (error: unknown): E.Either<TargetFailed, never> => {
  const detail = error instanceof Error ? error.message : String(error);
  return E.left({ _tag: 'ReadModelsUnavailable', detail, cause: error });
};

const applied = async (
  store: Store,
  target: ProjectionTarget,
  after: Position | null,
  events: Batch,
  memory: StreamMemory,
  { onApplied, onUnreadable }: RunnerEvents,
): Promise<E.Either<RunnerFailure, 'applied' | 'overtaken'>> => {
  const batch = await projectBatch(store, events, memory);
  if (E.isLeft(batch)) return batch;
  const { checkpoint, unreadable } = batch.right;
  try {
    const outcome = target.apply(after, batch.right);
    if (outcome === 'applied') {
      onApplied(checkpoint, events.length);
      if (unreadable.length > 0) onUnreadable(unreadable);
    }
    return E.right(outcome);
  } catch (error) {
    return failed(error);
  }
};

/** Between two parts of what is left of a batch whatever came meanwhile is projected: what waits has its turn at once. */
const REST_MS = 3;

/** A part that took so long is followed by a rest of three times that, so that three quarters of the time are for what comes. */
const LONG_PART_MS = 250;
/** Whoever waits for what is left waits no longer than some seconds. */
const LONGEST_REST_MS = 3_000;

/** For how many ms nothing of what is left is done behind a part of it that took so many. */
export const restAfter = (tookMs: number): number =>
  tookMs < LONG_PART_MS ? REST_MS : Math.min(LONGEST_REST_MS, 3 * tookMs);

/** Behind so many events of one batch, the last of them so old, more wait: they come first, for so long at the most. */
const MANY_EVENTS = 500;
const MANY_LATE_MS = 300;
const MANY_REST_MS = 500;

/** Whether more events wait behind those of a batch. Many that are fresh are a steady rate that projections keep up with. */
export const moreWait = (events: Batch, now: Instant): boolean => {
  const last = events.at(-1) ?? events[0];
  return events.length >= MANY_EVENTS && epochMsOf(now) - epochMsOf(last.recordedAt) > MANY_LATE_MS;
};

/** Does what batches have left, beside those that follow. */
class Settling {
  readonly #target: ProjectionTarget;
  readonly #over = new AbortController();
  #work: Promise<void> | null = null;
  #batches = 0;
  #isBehind = false;
  #failure: E.Either<TargetFailed, never> | null = null;

  constructor(target: ProjectionTarget) {
    this.#target = target;
  }

  /** Aborted where it has failed, or is ended. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  get failure(): E.Either<TargetFailed, never> | null {
    return this.#failure;
  }

  /**
   * To be called after each batch, with a signal that is aborted where its own is; at once where it is at work.
   *
   * @param isBehind whether more events wait behind the batch
   */
  begin(signal: AbortSignal, isBehind: boolean): void {
    this.#batches += 1;
    this.#isBehind = isBehind;
    this.#work ??= this.#settle(signal).finally(() => (this.#work = null));
  }

  /** Ends it behind the part that is under way, so that it no longer touches the target. The rest stays to be done. */
  async end(): Promise<void> {
    this.#over.abort();
    await this.#work;
  }

  async #settle(signal: AbortSignal): Promise<void> {
    try {
      while (!signal.aborted) {
        const began = performance.now();
        if (this.#target.settle?.() !== true) return;
        await this.#rest(signal, restAfter(performance.now() - began));
      }
    } catch (error) {
      this.#failure = failed(error);
      this.#over.abort();
    }
  }

  /** Until what came meanwhile is projected: a part of it takes its place in time, and so it would fall behind for long. */
  async #rest(signal: AbortSignal, restMs: number): Promise<void> {
    const batches = this.#batches;
    let rested = 0;
    do {
      await wait(restMs, signal);
      rested += restMs;
    } while (this.#isBehind && rested < MANY_REST_MS && !signal.aborted);
    // Nothing waited behind the last one after all.
    if (this.#batches === batches) this.#isBehind = false;
  }
}

/**
 * Keeps projections current with the log from their checkpoint on, until the signal is aborted or something fails: then
 * it is called again. Another runner on the same target does no harm: whoever is overtaken goes on behind the other.
 *
 * @param isBehind whether more events wait behind a batch: what the target has left then waits for them
 */
export const runProjections = async (
  store: Store,
  target: ProjectionTarget,
  events: RunnerEvents,
  signal: AbortSignal,
  isBehind: (batch: Batch) => boolean = () => false,
): Promise<E.Either<RunnerFailure, void>> => {
  const settling = new Settling(target);
  const ended = await follow(store, target, events, settling, AbortSignal.any([signal, settling.signal]), isBehind);
  await settling.end();
  return settling.failure ?? ended;
};

const follow = async (
  store: Store,
  target: ProjectionTarget,
  events: RunnerEvents,
  settling: Settling,
  signal: AbortSignal,
  isBehind: (batch: Batch) => boolean,
): Promise<E.Either<RunnerFailure, void>> => {
  const isAborted = (): boolean => signal.aborted;
  const memory = new StreamMemory();
  let overtaken = false;
  while (!isAborted()) {
    let after: Position | null;
    try {
      const checkpoint = target.checkpoint();
      // What another runner applied is included as well.
      if (overtaken && checkpoint !== null) events.onApplied(checkpoint, 0);
      after = checkpoint?.position ?? null;
    } catch (error) {
      return failed(error);
    }
    settling.begin(signal, false);
    for await (const read of store.subscribe(after, signal)) {
      if (E.isLeft(read)) return read;
      if (!isBatch(read.right)) continue;
      const outcome = await applied(store, target, after, read.right, memory, events);
      if (E.isLeft(outcome)) return outcome;
      overtaken = outcome.right === 'overtaken';
      settling.begin(signal, isBehind(read.right));
      if (overtaken) break;
      after = read.right.at(-1)?.position ?? after;
      if (isAborted()) break;
    }
  }
  return E.right(undefined);
};

/** Brings projections as far as a position and returns; at once where they are. */
export const catchUp = async (
  store: Store,
  target: ProjectionTarget,
  upTo: Position | null,
  events: RunnerEvents,
): Promise<E.Either<RunnerFailure, void>> => {
  if (upTo === null) return E.right(undefined);
  const reached = (): boolean => isAt(target.checkpoint(), upTo);
  /** Nothing is left then. */
  const settled = (): E.Either<RunnerFailure, void> => {
    try {
      while (target.settle?.() === true);
      return E.right(undefined);
    } catch (error) {
      return failed(error);
    }
  };
  try {
    if (reached()) return settled();
  } catch (error) {
    return failed(error);
  }
  const enough = new AbortController();
  const onApplied: RunnerEvents['onApplied'] = (checkpoint, count) => {
    events.onApplied(checkpoint, count);
    if (isAt(checkpoint, upTo)) enough.abort();
  };
  const watched: ProjectionTarget = {
    // Another runner may have got there first: then there is nothing left to wait for.
    checkpoint: () => {
      if (reached()) enough.abort();
      return target.checkpoint();
    },
    apply: (after, batch) => target.apply(after, batch),
  };
  const ran = await runProjections(store, watched, { ...events, onApplied }, enough.signal);
  return E.isLeft(ran) ? ran : settled();
};
