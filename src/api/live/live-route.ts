import { either as E, taskEither as TE } from 'fp-ts';
import { pipe } from 'fp-ts/lib/function.js';
import type { Position } from '../../domain/ids.ts';
import type { DocumentedRoute } from '../../http/documented-router.ts';
import { problem, type Problem } from '../../http/problem.ts';
import type { ApiDependencies } from '../api-dependencies.ts';
import { readPosition } from '../position-parameter.ts';
import { invalidParameter, storeUnavailable } from '../query-problems.ts';
import { route } from '../question.ts';
import type { LiveFeed } from './live-feed.ts';
import { withHeartbeats } from './with-heartbeats.ts';

/** Streams at a time; each holds a page of events at the most. */
const MOST_STREAMS = 64;

/** Well below the minute after which proxies give up a silent connection. */
const HEARTBEAT_MS = 15_000;

/** A reader that takes nothing for so long is cut off; it comes again with the last id that it has. */
const STALL_MS = 10_000;

/** Sent at once, so that a client knows that it is connected, and how soon to come again. */
const GREETING = E.right(Buffer.from('retry: 2000\n\n'));

const TOO_MANY = problem('overloaded', 'as many live streams are open as this ledger serves; ask again');

const LAST_EVENT_ID = 'Last-Event-ID';

const FOREIGN = invalidParameter(LAST_EVENT_ID, 'is none that this ledger has given');

const startOf = (
  { store }: Pick<ApiDependencies, 'store'>,
  lastEventId: string,
): TE.TaskEither<Problem, Position | null> =>
  lastEventId === '' ? TE.mapLeft(storeUnavailable)(store.head()) : readPosition(store, lastEventId, FOREIGN);

async function* greeted(
  feed: LiveFeed,
  after: Position | null,
  signal: AbortSignal,
): AsyncGenerator<E.Either<Problem, Uint8Array>, void, undefined> {
  yield GREETING;
  yield* withHeartbeats(feed(after, signal), HEARTBEAT_MS);
}

/** Events of order streams as they are appended (contract.md, `GET /v1/events/live`). */
export const liveRoute = (deps: ApiDependencies): DocumentedRoute => {
  let open = 0;
  const stream = (after: Position | null) => ({
    pieces: (gone: AbortSignal) => greeted(deps.liveFeed, after, AbortSignal.any([gone, deps.closing])),
    close: () => {
      open -= 1;
      return Promise.resolve();
    },
    stallMs: STALL_MS,
  });
  return route(deps, {
    id: 'followEvents',
    method: 'get',
    path: '/v1/events/live',
    tag: 'Orders',
    summary: 'Events of orders as they are appended',
    description: `Server-sent events: \`id\` is the position, \`event\` the type, \`data\` the event as \`listOrderEvents\` gives it, personal data
masked. It goes on behind \`${LAST_EVENT_ID}\`, and starts now without it. A comment comes where nothing else does for ${HEARTBEAT_MS / 1000} seconds.`,
    scopes: ['orders:read'],
    parameters: {},
    headers: [
      {
        name: LAST_EVENT_ID,
        in: 'header',
        description: 'The `id` of the last event that was got.',
        schema: { type: 'string' },
        required: false,
      },
    ],
    answers: {
      description: 'Events without end, until the ledger stops.',
      resource: null,
      others: [{ type: 'text/event-stream', schema: { type: 'string' } }],
      headers: {
        'X-Accel-Buffering': { description: 'Tells proxies to pass each event on at once.', schema: { const: 'no' } },
      },
    },
    problems: ['store-unavailable'],
    answer: ({ header }) =>
      pipe(
        startOf(deps, header(LAST_EVENT_ID)),
        TE.filterOrElse(
          () => open < MOST_STREAMS,
          () => TOO_MANY,
        ),
        TE.map((after) => {
          open += 1;
          return {
            type: 'text/event-stream; charset=utf-8',
            // Proxies that gather what they pass on would hold events back.
            headers: { 'X-Accel-Buffering': 'no' },
            stream: stream(after),
          };
        }),
      ),
  });
};
