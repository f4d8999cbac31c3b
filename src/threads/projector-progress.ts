import { inTime } from '../concurrency/in-time.ts';
import type { Position } from '../domain/ids.ts';
import type { Checkpoint, ReadModelsBehind, ReadModelsUnavailable } from '../read-models/read-models.ts';
import { isAt } from '../read-models/is-at.ts';
import { IncludedFloor } from './included-floor.ts';

/** Why a store on another machine is away; null: it is there, or on this one. */
export type StoreAway = () => string | null;

/** How far the projector is, and who waits for it. */
export class ProjectorProgress {
  checkpoint: Checkpoint | null = null;
  building: number | null = null;
  /** From what threads answer, and below which they don't. */
  readonly floor = new IncludedFloor();
  readonly #storeAway: StoreAway;
  #serves = false;
  #failed = false;
  readonly #waiting = new Set<() => void>();

  constructor(storeAway: StoreAway = () => null) {
    this.#storeAway = storeAway;
  }

  /** Whether nothing serves, and the store is away from which it would be built: threads have nothing to answer from. */
  get lacksStore(): boolean {
    return !this.#serves && this.#storeAway() !== null;
  }

  /** A generation that is of this log serves, up to a checkpoint. */
  serve(stamp: number, checkpoint: Checkpoint | null): void {
    // Before it is said how far that is: positions of what was followed may be another log's.
    this.floor.set(checkpoint);
    this.floor.follow(stamp);
    this.advance(checkpoint);
  }

  /** What served is of another log: nothing is answered from it any more. */
  disown(): void {
    this.floor.follow(null);
  }

  /** What serves is as far as a checkpoint. */
  advance(checkpoint: Checkpoint | null): void {
    this.floor.set(checkpoint);
    this.checkpoint = checkpoint;
    this.#serves = true;
    this.#failed = false;
    this.#look();
  }

  /** Whoever follows the log failed, and tries again. */
  fail(): void {
    this.building = null;
    this.#failed = true;
    this.#look();
  }

  /** Whether a position is included within a time. */
  reaches(position: Position, withinMs: number): Promise<boolean> {
    return this.#becomes(() => isAt(this.checkpoint, position), withinMs);
  }

  /**
   * Why nothing is answered from within a time; null: something serves. Once whoever follows the log has met that the store is
   * away, and found nothing to believe until it comes, nothing is waited for.
   */
  async absent(withinMs: number): Promise<ReadModelsUnavailable | null> {
    await this.#becomes(() => this.#serves || (this.#failed && this.#storeAway() !== null), withinMs);
    return this.#serves ? null : this.absence();
  }

  /** Why nothing is answered from now. */
  absence(): ReadModelsUnavailable {
    const away = this.#storeAway();
    return away === null
      ? { _tag: 'ReadModelsUnavailable', detail: behind(this).detail }
      : { _tag: 'ReadModelsUnavailable', detail: away, isStoreAway: true };
  }

  #look(): void {
    for (const look of this.#waiting) look();
  }

  async #becomes(is: () => boolean, withinMs: number): Promise<boolean> {
    if (is()) return true;
    const { promise, resolve } = Promise.withResolvers<true>();
    const look = (): void => {
      if (is()) resolve(true);
    };
    this.#waiting.add(look);
    try {
      return await inTime(withinMs, promise, false);
    } finally {
      this.#waiting.delete(look);
    }
  }
}

/** Why what was asked for is not there: how far the projector is. */
export const behind = ({ building }: ProjectorProgress): ReadModelsBehind => ({
  _tag: 'ReadModelsBehind',
  detail:
    building === null
      ? 'the read models are not as far yet'
      : `the read models are being built: ${Math.floor(building * 100)} % are done`,
});
