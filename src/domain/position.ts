import { branded } from './brand.ts';
import { guardedText } from './guarded.ts';
import type { Position } from './ids.ts';

/** Digits of a whole number from 0 to 2^53 - 1, in the one spelling that the ledger gives. */
const isPosition = (text: string): text is Position =>
  /^(?:0|[1-9]\d{0,15})$/.test(text) && Number.isSafeInteger(Number(text));

/** The codec of positions. It says that a text has the form of one, not that a log has an event there. */
export const PositionText = guardedText('position', isPosition);

/** The position with this number. */
export const positionAt = (number: number): Position => branded<Position>(String(number));

/** The number of a position, as stores keep it: it grows along the log, and in an EventStoreDB with the log's bytes. */
export const positionNumber = (position: Position): number => Number(position);

/** Order along the log: negative, zero or positive as `a` is before, at or after `b`. Null is the start, before every event. */
export const comparePositions = (a: Position | null, b: Position | null): number =>
  (a === null ? -1 : positionNumber(a)) - (b === null ? -1 : positionNumber(b));
