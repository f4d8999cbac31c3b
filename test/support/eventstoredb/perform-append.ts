import type { EventLog, LoggedEvent, ProposedEvent } from './event-log.ts';
import { decideAppend, type ExpectedVersion, type RecentIds } from './idempotency.ts';

/** One append, whichever call brought it. */
export type AppendRequest = {
  readonly stream: string;
  readonly expected: ExpectedVersion;
  readonly events: readonly ProposedEvent[];
};

/** What the server answers, before either call puts it into a form of its own. */
export type AppendOutcome =
  | { readonly _tag: 'Success'; readonly revision: bigint | null; readonly position: bigint | null }
  | {
      readonly _tag: 'WrongExpectedVersion';
      readonly expected: ExpectedVersion;
      readonly actual: bigint | 'no_stream';
    }
  | { readonly _tag: 'StreamDeleted' }
  | { readonly _tag: 'MaximumAppendSizeExceeded'; readonly limit: number }
  | { readonly _tag: 'BadRequest'; readonly detail: string };

/** The largest append, as the server counts: data, metadata and twice the type's length, all events together. */
export const MAX_APPEND_BYTES = 1_048_576;

const NIL_UUID = '00000000-0000-0000-0000-000000000000';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const sizeOf = (event: ProposedEvent): number => event.data.length + event.metadata.length + 2 * event.type.length;

const badRequest = ({ stream, events }: AppendRequest): string | null => {
  if (stream === '') return 'Stream name is empty';
  for (const { id, type } of events) {
    if (!UUID.test(id)) return 'Event id is no UUID';
    if (id === NIL_UUID) return 'Event id is empty';
    if (type === '') return 'Event type is empty';
  }
  return null;
};

/** A repeat's position is gone once the event is truncated. */
const positionOfRepeat = (log: EventLog, { stream, revision, position }: LoggedEvent): bigint | null => {
  const there = log.stream(stream);
  return there === undefined || there.softDeleted || revision < there.truncateBefore ? null : position;
};

/** Checks an append and writes it where the server would. */
export const performAppend = (
  log: EventLog,
  recent: RecentIds,
  request: AppendRequest,
  maxAppendBytes = MAX_APPEND_BYTES,
): AppendOutcome => {
  const detail = badRequest(request);
  if (detail !== null) return { _tag: 'BadRequest', detail };
  if (request.events.reduce((sum, event) => sum + sizeOf(event), 0) > maxAppendBytes) {
    return { _tag: 'MaximumAppendSizeExceeded', limit: maxAppendBytes };
  }
  const events = request.events.map((event) => ({ ...event, id: event.id.toLowerCase() }));
  const decision = decideAppend(log, recent, { ...request, events });
  switch (decision._tag) {
    case 'StreamDeleted':
      return decision;
    case 'WrongExpectedVersion':
      return { ...decision, expected: request.expected };
    case 'Repeat':
      return { _tag: 'Success', revision: decision.last.revision, position: positionOfRepeat(log, decision.last) };
    case 'Write':
      break;
  }
  const written = log.write(request.stream, events);
  recent.remember(written);
  const last = written.at(-1);
  return { _tag: 'Success', revision: last?.revision ?? null, position: last?.position ?? null };
};
