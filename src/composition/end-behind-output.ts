import { endProcess } from './end-process.ts';

const HELD_FOR_MS = 2_000;

/**
 * Ends the process behind what a command has said, with its exit status. It ends by itself where nothing is left to do; what
 * holds it longer than two seconds is nobody's any more: a connection that is being made to an address that drops packets, for
 * two minutes. Output that its reader has not taken yet is waited for.
 */
export const endBehindOutput = (): void => {
  const looking = setInterval(() => {
    if (process.stdout.writableLength > 0 || process.stderr.writableLength > 0) return;
    clearInterval(looking);
    void endProcess(() => Promise.resolve());
  }, HELD_FOR_MS).unref();
};
