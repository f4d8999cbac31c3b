import * as E from 'fp-ts/lib/Either.js';
import { troubleLine } from '../domain/trouble.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { PastStates } from '../read-models/touched-orders.ts';
import type { LedgerLocation } from './ledger-location.ts';
import { openStoreBeside } from './open-store-beside.ts';

/** The log, and what it says of orders as they were. */
type OpenLog = { readonly store: EventStore; readonly past: PastStates };

/** The log of a thread that rarely needs it: it is opened when it is first asked for. */
export class LogOnDemand {
  readonly #location: LedgerLocation;
  #opened: Promise<OpenLog> | null = null;

  constructor(location: LedgerLocation) {
    this.#location = location;
  }

  /** Rejects where it can't be opened; the next one who asks tries again. */
  opened(): Promise<OpenLog> {
    this.#opened ??= this.#open();
    return this.#opened;
  }

  async close(): Promise<void> {
    if (this.#opened !== null) await (await this.#opened).store.close();
  }

  async #open(): Promise<OpenLog> {
    const opened = await openStoreBeside(this.#location);
    if (E.isRight(opened)) return { store: opened.right, past: new PastStates(opened.right) };
    this.#opened = null;
    throw new Error(troubleLine(opened.left));
  }
}
