import { wait } from '../concurrency/wait.ts';
import type { Position } from '../domain/ids.ts';
import { comparePositions } from '../domain/position.ts';

/** The positions that somebody waits for: until they are included, projections do not rest. */
export class Awaited {
  #furthest: Position | null = null;
  #rest = new AbortController();

  /** Somebody waits for a position: a rest ends. */
  add(position: Position): void {
    if (comparePositions(position, this.#furthest) > 0) this.#furthest = position;
    this.#rest.abort();
  }

  /**
   * Rests so many milliseconds, or less where somebody begins to wait, or the signal is aborted; not at all where somebody
   * waits for more than is included.
   */
  async rest(ms: number, included: Position, signal: AbortSignal): Promise<void> {
    if (comparePositions(this.#furthest, included) > 0) return;
    this.#rest = new AbortController();
    await wait(ms, AbortSignal.any([signal, this.#rest.signal]));
  }
}
