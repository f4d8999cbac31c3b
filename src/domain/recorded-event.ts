import type { EventId, Position, Revision, StreamName } from './ids.ts';
import type { Instant } from './instant.ts';

/** An event as it goes into a store. `data` is UTF-8 JSON; `rawBody` is there where re-serialising it would not give the signed bytes. */
export type NewEvent = {
  readonly id: EventId;
  readonly type: string;
  readonly data: Buffer;
  /** UTF-8 JSON of `EventMetadata`. */
  readonly metadata: Buffer;
  readonly rawBody: Buffer | null;
};

/**
 * An event as a store gives it back, with its position and the time of its recording. Data and metadata are given as texts:
 * the bytes that were appended are UTF-8, and a text takes a projection half the time that bytes take.
 */
export type RecordedEvent = Omit<NewEvent, 'data' | 'metadata'> & {
  readonly data: string;
  readonly metadata: string;
  readonly stream: StreamName;
  readonly revision: Revision;
  readonly position: Position;
  readonly recordedAt: Instant;
};

/** What can be known of an event without its data, which most stores then need not read. */
export type EventHeader = Omit<RecordedEvent, 'data' | 'rawBody'>;

/** The bytes that were signed (docs/spec/domain.md, Event). */
export const signedBytes = ({ rawBody, data }: RecordedEvent): Buffer => rawBody ?? Buffer.from(data);
