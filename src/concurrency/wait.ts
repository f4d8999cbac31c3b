import { setTimeout as after } from 'node:timers/promises';

/** Resolves after so many milliseconds, or as soon as the signal is aborted; never rejects. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

/** Waits so many milliseconds, or less where what it belongs to ends; never rejects. */
export type Pause = (ms: number) => Promise<void>;

/** Waits by the machine's clock. */
export const wait = async (ms: number, signal?: AbortSignal): Promise<void> => {
  // The only rejection is that of the signal, which ends the wait as its time does.
  await after(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
};
