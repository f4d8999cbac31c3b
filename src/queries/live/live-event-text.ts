import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { JsonObject } from '../../domain/json.ts';
import { readLedgerEvent } from '../../domain/ledger-event.ts';
import type { RecordedEvent } from '../../domain/recorded-event.ts';
import type { LivePersonalData } from './live-feed.ts';
import { eventResource } from '../orders/event-resource.ts';

/** A damaged event is told of without what can't be read of it, so that followers know that it is there. */
const damaged = ({ stream, revision, position, id, type, recordedAt }: RecordedEvent): JsonObject => ({
  stream,
  revision,
  position,
  eventId: id,
  type,
  recordedAt,
  data: null,
  metadata: null,
});

/** An event as a server-sent event (docs/spec/http.md, Live events); personal data is always masked. */
export const liveEventText = (recorded: RecordedEvent, personal: LivePersonalData): string => {
  const data = pipe(
    readLedgerEvent(recorded),
    E.chain((event) => eventResource(event, personal)),
    E.getOrElse(() => damaged(recorded)),
  );
  // A type that was tampered with may hold a line end, which would begin another field of the server-sent event.
  const type = recorded.type.replaceAll(/[\r\n]/g, ' ');
  return `id: ${recorded.position}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
};
