import type { ArrivalsSeen } from '../arrivals/arrivals-seen.ts';

/** How many connections a ledger takes at once, and what bounds them. */
export type ConnectionsTold = {
  readonly most: number;
  /** How many it takes where it may open files enough. */
  readonly usual: number;
  /** How many files its process may have open at once; null where that is not known, or there is no bound. */
  readonly openFiles: number | null;
  /** With so many it takes the usual number of connections. */
  readonly enoughFiles: number;
};

/** How what is on another machine comes and goes: why it was away last, how often it went, and for how long that goes on. */
export type Wavering = { readonly problem: string; readonly breaks: number; readonly seconds: number };

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
  /** Whether a page of its file of events is damaged. Left out by one of an older version. */
  readonly eventsDamaged?: boolean;
  /** What arrived, as the ledger counts it: a full disk keeps it from the file. */
  readonly arrivals: ArrivalsSeen;
  /** Left out by one of an older version. */
  readonly connections?: ConnectionsTold;
  /** Null where the store is there, or is away and stays so; left out by a ledger of an older version. */
  readonly storeWavers?: Wavering | null;
};
