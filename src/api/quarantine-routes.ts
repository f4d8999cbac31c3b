import { either as E, taskEither as TE } from 'fp-ts';
import { pipe } from 'fp-ts/lib/function.js';
import { isEventId, type EventId } from '../domain/ids.ts';
import type { Problem } from '../http/problem.ts';
import { replyBody } from '../ledger/reply-body.ts';
import type { ApiDependencies } from './api-dependencies.ts';
import { pathSegment } from './path-segment.ts';
import { NOT_IN_QUARANTINE, quarantinedById } from './quarantined-by-id.ts';
import { QUARANTINE_LIST_PARAMETERS, quarantineList } from './quarantine-list.ts';
import { storeUnavailable } from './query-problems.ts';
import type { Route } from './question.ts';
import { release } from './release.ts';
import { signedBody } from './signed-body.ts';

/** The delivery that a path `/v1/quarantine/{eventId}…` names; 404 where that can be no event's id. */
const eventIdInPath = (path: string): E.Either<Problem, EventId> => {
  const id = pathSegment(path, 2);
  return id !== null && isEventId(id) ? E.right(id) : E.left(NOT_IN_QUARANTINE);
};

const list = (deps: ApiDependencies): Route => ({
  method: 'get',
  path: '/v1/quarantine',
  scopes: ['audit:read'],
  parameters: QUARANTINE_LIST_PARAMETERS,
  answer: ({ parameters, personal }) =>
    pipe(
      quarantineList(deps)(parameters, personal),
      TE.map((body) => ({ body })),
    ),
});

const body = (deps: ApiDependencies): Route => ({
  method: 'get',
  path: '/v1/quarantine/:eventId/body',
  scopes: ['audit:read', 'pii:read'],
  parameters: [],
  answer: ({ path }) =>
    pipe(
      TE.fromEither(eventIdInPath(path)),
      TE.chain((eventId) => quarantinedById(deps, eventId)),
      TE.bindTo('quarantined'),
      TE.bind('events', ({ quarantined }) =>
        pipe(deps.store.readStream(quarantined.stream), TE.mapLeft(storeUnavailable)),
      ),
      TE.chainEitherK(({ quarantined, events }) =>
        E.fromNullable(NOT_IN_QUARANTINE)(events.find(({ id }) => id === quarantined.eventId)),
      ),
      TE.chainEitherK(signedBody),
    ),
});

const releaseRoute = (deps: ApiDependencies): Route => ({
  method: 'post',
  path: '/v1/quarantine/:eventId/release',
  scopes: ['quarantine:write'],
  parameters: [],
  answer: ({ path, requestId }) =>
    pipe(
      TE.fromEither(eventIdInPath(path)),
      TE.chain((eventId) => release(deps, eventId, requestId)),
      TE.map((recorded) => ({ body: replyBody(recorded) })),
    ),
});

/** What can be asked about what could not be read, and its release (contract.md, Asking). */
export const quarantineRoutes = (deps: ApiDependencies): readonly Route[] => [
  list(deps),
  body(deps),
  releaseRoute(deps),
];
