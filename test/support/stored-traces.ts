import { right } from './right.ts';
import * as t from 'io-ts';
import type { EventLog } from './eventstoredb/event-log.ts';

/** An event as the double holds it, and what it says of the delivery that it came from: read past the ledger. */
export type Trace = {
  /** Without the prefix of the ledger's streams. */
  readonly stream: string;
  readonly revision: number;
  readonly position: string;
  readonly eventId: string;
  readonly type: string;
  readonly requestId: string;
  readonly bodySha256: string;
  /** In milliseconds since the Unix epoch. */
  readonly receivedAt: number;
};

const Metadata = t.type({ requestId: t.string, bodySha256: t.string, receivedAt: t.string });

/** The ledger's events in the double's log, in its order. */
export const storedTraces = (log: EventLog, streamPrefix = ''): readonly Trace[] =>
  log
    .userEvents()
    .filter(({ stream }) => stream.startsWith(streamPrefix))
    .map(({ stream, revision, position, id, type, metadata }) => {
      const { requestId, bodySha256, receivedAt } = right(
        Metadata.decode(JSON.parse(Buffer.from(metadata).toString())),
      );
      return {
        stream: stream.slice(streamPrefix.length),
        revision: Number(revision),
        position: String(position),
        eventId: id,
        type,
        requestId,
        bodySha256,
        receivedAt: Date.parse(receivedAt),
      };
    });
