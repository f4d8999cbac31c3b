import { branded } from '../../src/domain/brand.ts';
import type { Revision } from '../../src/domain/ids.ts';
import { instantOf } from '../../src/domain/instant.ts';
import type { EventForStream } from '../../src/domain/new-event.ts';
import { positionAt } from '../../src/domain/position.ts';
import type { RecordedEvent } from '../../src/domain/recorded-event.ts';

/** An event as a store gives it back: by default the first of its stream and of the log, recorded at a fixed time. */
export const recordedEvent = ({ stream, event }: EventForStream, over: Partial<RecordedEvent> = {}): RecordedEvent => ({
  ...event,
  data: event.data.toString(),
  metadata: event.metadata.toString(),
  stream,
  revision: branded<Revision>(0),
  position: positionAt(0),
  recordedAt: instantOf(Date.UTC(2023, 2, 1, 6, 31, 9)),
  ...over,
});
