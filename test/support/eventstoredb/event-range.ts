import * as E from 'fp-ts/lib/Either.js';
import type { EventLog, LoggedEvent, LoggedStream } from './event-log.ts';
import type { ReadRequest } from './read-request.ts';
import { invalidArgument, streamDeleted, type ServerError } from './server-error.ts';

/** Events by place, one after another: from `next`, by `step`, until `until` (exclusive) or until there are `left` of them. */
export type EventRange = {
  readonly next: number;
  readonly step: number;
  readonly until: number;
  readonly left: bigint;
  readonly at: (place: number) => LoggedEvent | undefined;
};

type ReadOnce = ReadRequest & { readonly _tag: 'ReadAll' | 'ReadStream' };

/** How many of a stream's events a node has that has the first `visible` of the log. */
export const visibleOf = (stream: LoggedStream | undefined, visible: number): number => {
  const events = stream?.events ?? [];
  let count = events.length;
  for (let last = events[count - 1]; last !== undefined && last.index >= visible; last = events[count - 1]) count -= 1;
  return count;
};

const refused = ({ backwards, from, count }: ReadOnce): ServerError | null => {
  if (count === 0n) return invalidArgument('Reading no events is not possible');
  return !backwards && from === 'end' ? invalidArgument('Reading forwards from the end is not possible') : null;
};

const streamRange = (
  log: EventLog,
  visible: number,
  request: ReadOnce & { readonly _tag: 'ReadStream' },
): E.Either<ServerError | 'not found', EventRange> => {
  const stream = log.stream(request.stream);
  if (stream?.tombstoned === true) return E.left(streamDeleted(request.stream));
  const length = visibleOf(stream, visible);
  if (stream === undefined || length === 0 || stream.softDeleted) return E.left('not found');
  const { from, backwards, count: left } = request;
  const at = (place: number): LoggedEvent | undefined => stream.events[place];
  const first = stream.truncateBefore;
  if (backwards) {
    const start = from === 'start' ? 0 : from === 'end' ? length - 1 : Math.min(Number(from), length - 1);
    return E.right({ next: start, step: -1, until: first - 1, left, at });
  }
  const start = typeof from === 'bigint' ? Number(from) : 0;
  return E.right({ next: Math.max(start, first), step: 1, until: length, left, at });
};

const allRange = (
  log: EventLog,
  visible: number,
  { from, backwards, count: left }: ReadOnce & { readonly _tag: 'ReadAll' },
): E.Either<ServerError, EventRange> => {
  const at = log.at;
  const forwardsFrom = (next: number): EventRange => ({ next, step: 1, until: visible, left, at });
  const backwardsFrom = (next: number): EventRange => ({
    next: Math.min(next, visible - 1),
    step: -1,
    until: -1,
    left,
    at,
  });
  if (from === 'start') return E.right(backwards ? backwardsFrom(-1) : forwardsFrom(0));
  if (from === 'end') return E.right(backwardsFrom(visible - 1));
  const place = log.firstFrom(from.commit);
  const there = log.at(place);
  const isEvent = there?.position === from.commit && there.prepare === from.prepare;
  if (!isEvent && from.commit < log.end()) return E.left(invalidArgument('Trying to read from an invalid position.'));
  // Forwards a position is inclusive, backwards exclusive.
  return E.right(backwards ? backwardsFrom(place - 1) : forwardsFrom(place));
};

/** The events that a read is to answer, or why it is not to answer any. */
export const eventRange = (
  log: EventLog,
  visible: number,
  request: ReadOnce,
): E.Either<ServerError | 'not found', EventRange> => {
  const refusal = refused(request);
  if (refusal !== null) return E.left(refusal);
  return request._tag === 'ReadAll' ? allRange(log, visible, request) : streamRange(log, visible, request);
};
