import type { EventLog, LoggedEvent } from './event-log.ts';
import type { EventFilter } from './event-filter.ts';
import { visibleOf } from './event-range.ts';
import type { ReadRequest, WirePosition } from './read-request.ts';

/** What a subscription goes through: places in the log or in a stream, of which it sends the events that match. */
export type SubscriptionSource = {
  /** The place of the first event to consider. */
  readonly first: number;
  /** The place behind the last that the node has. */
  readonly end: () => number;
  readonly at: (place: number) => LoggedEvent | undefined;
  readonly filter: EventFilter | null;
};

type Subscribe = ReadRequest & { readonly _tag: 'SubscribeToAll' | 'SubscribeToStream' };

/** Positions compare by commit, then by prepare: a checkpoint of (c, 0) lies before the event at (c, c). */
const firstBehind = (log: EventLog, { commit, prepare }: WirePosition): number => {
  const place = log.firstFrom(commit);
  const there = log.at(place);
  return there?.position === commit && prepare >= there.prepare ? place + 1 : place;
};

/** The source of a subscription, with the number of events that the node has asked for anew each time. */
export const subscriptionSource = (log: EventLog, visible: () => number, request: Subscribe): SubscriptionSource => {
  if (request._tag === 'SubscribeToAll') {
    const { from, filter } = request;
    const first = from === 'start' ? 0 : from === 'end' ? visible() : firstBehind(log, from);
    return { first, end: visible, at: log.at, filter };
  }
  const { stream, from } = request;
  const end = (): number => visibleOf(log.stream(stream), visible());
  return {
    first: Math.max(
      from === 'start' ? 0 : from === 'end' ? end() : Number(from) + 1,
      log.stream(stream)?.truncateBefore ?? 0,
    ),
    end,
    at: (place) => log.stream(stream)?.events[place],
    filter: null,
  };
};
