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

/** An event as a store gives it back: its bytes unchanged, with place and time of recording. */
export type RecordedEvent = NewEvent & {
  readonly stream: StreamName;
  readonly revision: Revision;
  readonly position: Position;
  readonly recordedAt: Instant;
};

/** The bytes that were signed (design.md, Event). */
export const signedBytes = (event: NewEvent): Buffer => event.rawBody ?? event.data;
