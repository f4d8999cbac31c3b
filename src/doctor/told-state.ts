import type { ArrivalsSeen } from '../arrivals/arrivals-seen.ts';

/** What a ledger that serves tells of itself over the local socket, where no key is asked for and no port is needed. */
export type ToldState = {
  /** Where it listens; null before it does. */
  readonly url: string | null;
  /** Whether it could take a delivery now. */
  readonly ready: boolean;
  /** Why it could not; null where it could. A ledger of an older version does not tell. */
  readonly problem?: string | null;
  /** Names of the threads that don't work. */
  readonly threadsDown: readonly string[];
  /** What arrived, as the ledger counts it: a full disk keeps it from the file. */
  readonly arrivals: ArrivalsSeen;
};
