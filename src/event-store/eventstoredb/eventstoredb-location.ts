import type { HeldFile } from '../kept-place.ts';

/** Where a ledger on EventStoreDB keeps itself. */
export type EventStoreDbLocation = {
  /** A connection string: `esdb://…` or `esdb+discover://…`. It may hold a password, and is in no log and no error. */
  readonly url: string;
  /** Put before every stream name there, so that ledgers can share a server (docs/spec/configuration.md, Stores). */
  readonly streamPrefix: string;
  /** For what is kept on this machine beside the store: read models, the spool, copies of the log. */
  readonly dataDir: string;
  /** The lock of that folder, of a ledger that serves. */
  readonly lock?: HeldFile;
};
