import { getPriority, setPriority } from 'node:os';

/**
 * Lowers the priority of this thread: on Linux a priority is one thread's own. It never rises: whoever starts a ledger
 * with a lower one means it, and the system refuses more. Where the system refuses that too, the thread works as it is.
 *
 * @param to 0 to 19, the greatest being the lowest
 */
export const lowerPriority = (to: number): void => {
  try {
    if (getPriority() < to) setPriority(to);
  } catch {
    // It is a kindness to the receiving thread, and nothing that work depends on.
  }
};
