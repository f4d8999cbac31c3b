import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { Position } from '../domain/ids.ts';
import type { StreamedBody } from '../http/send-stream.ts';
import { foreign, type QueryFailure } from '../queries/failure/query-failure.ts';
import type { LiveFeed, LivePersonalData } from '../queries/live/live-feed.ts';
import type { PersonalData } from '../queries/masking/personal-data.ts';
import { readPosition } from '../queries/parameters/position-parameter.ts';
import type { QueryDependencies } from '../queries/query-dependencies.ts';
import type { Reply } from './reply.ts';
import { withHeartbeats } from './with-heartbeats.ts';

/** Streams at a time; each holds a page of events at the most. */
const MOST_STREAMS = 64;

/** Well below the minute after which proxies give up a silent connection. */
export const HEARTBEAT_MS = 15_000;

/** A reader that takes nothing for so long is cut off; it comes again with the last id that it has. */
const STALL_MS = 10_000;

/** Sent at once, so that a client knows that it is connected, and how soon to come again. */
const GREETING = E.right(Buffer.from('retry: 2000\n\n'));

/** The header with the id of the last event that a client has. */
export const LAST_EVENT_ID = 'Last-Event-ID';

const FOREIGN = foreign(LAST_EVENT_ID, 'ledger');

const startOf = (
  { store }: Pick<QueryDependencies, 'store'>,
  lastEventId: string,
): TE.TaskEither<QueryFailure, Position | null> =>
  lastEventId === '' ? store.head() : readPosition(store, lastEventId, FOREIGN);

/** `lastEventId`: of the last event that a client has; empty where it has none. */
export type LiveQuestion = { readonly lastEventId: string; readonly personal: PersonalData };

async function* greeted(
  feed: LiveFeed,
  after: Position | null,
  personal: LivePersonalData,
  signal: AbortSignal,
): AsyncGenerator<E.Either<QueryFailure, Uint8Array>, void, undefined> {
  yield GREETING;
  yield* withHeartbeats(feed(after, personal, signal), HEARTBEAT_MS);
}

/**
 * Streams of live events, so many at a time. Asked with the last id that a client has: empty where it has none, and the
 * stream starts now.
 */
export const liveStreams = (
  deps: Pick<QueryDependencies, 'store' | 'liveFeed'> & { readonly closing: AbortSignal },
): ((asked: LiveQuestion) => TE.TaskEither<QueryFailure, Reply<never>>) => {
  let open = 0;
  const stream = (after: Position | null, personal: LivePersonalData): StreamedBody<QueryFailure> => ({
    pieces: (gone) => greeted(deps.liveFeed, after, personal, AbortSignal.any([gone, deps.closing])),
    close: () => {
      open -= 1;
      return Promise.resolve();
    },
    stallMs: STALL_MS,
  });
  return ({ lastEventId, personal }) =>
    pipe(
      startOf(deps, lastEventId),
      TE.filterOrElse(
        () => open < MOST_STREAMS,
        (): QueryFailure => ({ _tag: 'Overloaded', by: 'live streams' }),
      ),
      TE.map((after) => {
        open += 1;
        return {
          type: 'text/event-stream; charset=utf-8',
          // Proxies that gather what they pass on would hold events back.
          headers: { 'X-Accel-Buffering': 'no' },
          stream: stream(after, personal === 'guarded' ? 'guarded' : 'masked'),
        };
      }),
    );
};
