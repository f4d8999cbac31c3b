/** Where nothing else bounds them: twice as many as deliveries may be under way, so that readiness and queries are answered meanwhile. */
const USUAL = 4_096;

/**
 * Files that are left for all else: stores, read models, threads (an idle ledger has some sixty open), exports, bank files and
 * uploads that are read, sockets upstream.
 */
const RESERVED = 256;

/** Of few files so many are for connections all the same: one in this many. */
const LEAST_PART = 4;

/** How many connections are taken at once, and what bounds them. */
export type ConnectionsTaken = {
  readonly most: number;
  /** How many are taken where the process may open files enough. */
  readonly usual: number;
  /** How many files the process may have open at once; null where that is not known, or there is no bound. */
  readonly openFiles: number | null;
  /** With so many the usual number of connections is taken. */
  readonly enoughFiles: number;
};

/**
 * How many connections a process takes that may have so many files open. Each connection is one: where the process can open
 * no more, no connection is accepted, so that none could be closed for the sake of a new one.
 *
 * @param openFiles null: not known, or without a bound
 */
export const connectionsTaken = (openFiles: number | null): ConnectionsTaken => ({
  most:
    openFiles === null ? USUAL : Math.min(USUAL, Math.max(openFiles - RESERVED, Math.floor(openFiles / LEAST_PART))),
  usual: USUAL,
  openFiles,
  enoughFiles: USUAL + RESERVED,
});
