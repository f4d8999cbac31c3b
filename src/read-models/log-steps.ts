import type { Position } from '../domain/ids.ts';
import { positionNumber } from '../domain/position.ts';

/**
 * A step of the log: events behind each other, for which read models keep what reports changed by. Steps follow each other
 * from the first event to the last one that is included, so that what reports came to at the end of any of them is at hand
 * (docs/decisions/0021-periods.md).
 */
export type LogStep = {
  /** Grows along the log; numbers may be left out. */
  readonly no: number;
  /** The position of its last event. */
  readonly upTo: Position;
  readonly events: number;
};

/** How the log is cut into steps. */
export type StepSizes = {
  /** The next event begins a new step behind one that has so many. */
  readonly events: number;
  /** Where there would be more, two of them are joined: what they take stays bounded, however long the log is. */
  readonly most: number;
};

export const USUAL_STEPS: StepSizes = { events: 10_000, most: 256 };

/**
 * The number of the step that a position lies in, where a log is cut at once: into equal stretches of positions, from its
 * first event on, since a store may hold others' events before.
 */
export const stepsBetween = (
  first: Position,
  upTo: Position,
  { events, most }: StepSizes,
): ((position: Position) => number) => {
  const from = positionNumber(first);
  // Of a log whose positions count bytes, this many positions are few events.
  const length = Math.max(events, Math.ceil((positionNumber(upTo) - from + 1) / most));
  return (position) => Math.floor((positionNumber(position) - from) / length);
};

/** Of steps in their order, the one that should be joined with the one behind it: both have the fewest events; null where there is none. */
export const fewestBeside = (
  steps: readonly LogStep[],
): { readonly first: LogStep; readonly second: LogStep } | null => {
  let found: { readonly first: LogStep; readonly second: LogStep } | null = null;
  for (const [i, first] of steps.entries()) {
    const second = steps[i + 1];
    if (second === undefined) break;
    if (found === null || first.events + second.events < found.first.events + found.second.events)
      found = { first, second };
  }
  return found;
};
