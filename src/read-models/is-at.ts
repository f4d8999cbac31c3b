import type { Position } from '../domain/ids.ts';
import { comparePositions } from '../domain/position.ts';
import type { Checkpoint } from './read-models.ts';

/** Whether a checkpoint includes a position: positions of one store grow along the log. */
export const isAt = (checkpoint: Checkpoint | null, position: Position): boolean =>
  comparePositions(checkpoint?.position ?? null, position) >= 0;
