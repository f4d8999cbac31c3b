import { readLedgerEvent } from '../domain/ledger-event.ts';
import type { RecordedEvent } from '../domain/recorded-event.ts';

/** Reads each event once, however often it is folded. */
export const readingOnce = (readEvent: typeof readLedgerEvent = readLedgerEvent): typeof readLedgerEvent => {
  const known = new Map<RecordedEvent, ReturnType<typeof readLedgerEvent>>();
  return (event) => {
    const read = known.get(event) ?? readEvent(event);
    known.set(event, read);
    return read;
  };
};
