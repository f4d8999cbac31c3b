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
  #store: Promise<EventStore> | null = null;
  #past: PastStates | null = null;

  constructor(location: LedgerLocation) {
    this.#location = location;
  }

  /** Rejects where it can't be opened; the next one who asks tries again. */
  async opened(): Promise<OpenLog> {
    this.#store ??= this.#open();
    const store = await this.#store;
    this.#past ??= new PastStates(store);
    return { store, past: this.#past };
  }

  /** Lets go of what was found of moments: the log is another one where its store was restored from a copy. */
  forget(): void {
    this.#past = null;
  }

  async close(): Promise<void> {
    if (this.#store !== null) await (await this.#store).close();
  }

  async #open(): Promise<EventStore> {
    const opened = await openStoreBeside(this.#location);
    if (E.isRight(opened)) return opened.right;
    this.#store = null;
    throw new Error(troubleLine(opened.left));
  }
}
