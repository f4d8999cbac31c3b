import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { Access } from '../access/access.ts';
import type { Reader } from '../access/reader.ts';
import type { StreamPlace } from '../access/stream-places.ts';
import type { Position } from '../domain/ids.ts';
import type { StreamedBody } from '../http/send-stream.ts';
import { foreign, type QueryFailure } from '../queries/failure/query-failure.ts';
import type { LiveFeed, LivePersonalData } from '../queries/live/live-feed.ts';
import type { PersonalData } from '../queries/masking/personal-data.ts';
import { readPosition } from '../queries/parameters/position-parameter.ts';
import type { QueryDependencies } from '../queries/query-dependencies.ts';
import type { Reply } from './reply.ts';
import { withHeartbeats } from './with-heartbeats.ts';

/** Well below the minute after which proxies give up a silent connection. */
export const HEARTBEAT_MS = 15_000;

/** Who is cut off comes again with the last id that it has. */
const PACE = { patienceMs: 10_000, bytesPerSecond: 4_096 } as const;

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
export type LiveQuestion = {
  readonly lastEventId: string;
  readonly personal: PersonalData;
  readonly reader: Reader;
};

async function* greeted(
  feed: LiveFeed,
  after: Position | null,
  personal: LivePersonalData,
  signal: AbortSignal,
): AsyncGenerator<E.Either<QueryFailure, Uint8Array>, void, undefined> {
  yield GREETING;
  yield* withHeartbeats(feed(after, personal, signal), HEARTBEAT_MS);
}

/** What live events for somebody stand on. `closing`: aborted when the ledger is told to stop. */
export type LiveDependencies = Pick<QueryDependencies, 'store' | 'liveFeed'> &
  Pick<Access, 'streams'> & { readonly closing: AbortSignal };

/** A stream of live events: behind the last that its reader has, or from now on. */
export const liveReply = (
  deps: LiveDependencies,
  { lastEventId, personal, reader }: LiveQuestion,
): TE.TaskEither<QueryFailure, Reply<never>> => {
  const shown = personal === 'guarded' ? 'guarded' : 'masked';
  const stream = (after: Position | null, place: StreamPlace): StreamedBody<QueryFailure> => ({
    pieces: (gone) => greeted(deps.liveFeed, after, shown, AbortSignal.any([gone, deps.closing])),
    close: () => {
      place.close();
      return Promise.resolve();
    },
    pace: PACE,
    revoked: place.revoked,
    halves: 'good',
  });
  return pipe(
    startOf(deps, lastEventId),
    TE.bindTo('after'),
    TE.bindW('place', () => deps.streams.open('live streams', reader)),
    TE.map(({ after, place }) => ({
      type: 'text/event-stream; charset=utf-8',
      // Proxies that gather what they pass on would hold events back.
      headers: { 'X-Accel-Buffering': 'no' },
      stream: stream(after, place),
    })),
  );
};
