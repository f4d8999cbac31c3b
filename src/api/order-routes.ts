import { either as E, taskEither as TE } from 'fp-ts';
import { pipe } from 'fp-ts/lib/function.js';
import type { OrderId } from '../domain/ids.ts';
import type { RecordedEvent } from '../domain/recorded-event.ts';
import type { Problem } from '../http/problem.ts';
import { verifyEvent } from '../ledger/verify-event.ts';
import type { ApiDependencies } from './api-dependencies.ts';
import { orderIdInPath, revisionInPath } from './order-path.ts';
import { NO_SUCH_REVISION, orderFrom, readEvents, recordedEvents } from './order-queries.ts';
import { optional, parseRevision, type Parameters } from './parameters.ts';
import { positionParameter } from './position-parameter.ts';
import { unreadableEvent } from './query-problems.ts';
import type { Question, Route } from './question.ts';
import type { Answer } from './reply.ts';
import { auditEntry } from './resources/audit-entry.ts';
import { eventResource } from './resources/event-resource.ts';
import { orderResource } from './resources/order-resource.ts';
import { signedBody } from './signed-body.ts';

/** Answers about the order that the path names. */
const aboutOrder =
  (answer: (orderId: OrderId, question: Question) => Answer): Route['answer'] =>
  (question) =>
    pipe(
      TE.fromEither(orderIdInPath(question.path)),
      TE.chain((orderId) => answer(orderId, question)),
    );

const revisionParameter = (parameters: Parameters): E.Either<Problem, number | null> =>
  optional(parameters, 'revision', { expected: 'a whole number from 0', read: parseRevision });

const oneOrder = ({ store, now }: ApiDependencies): Route => ({
  method: 'get',
  path: '/v1/orders/:orderId',
  scopes: ['orders:read'],
  parameters: ['revision'],
  answer: aboutOrder((orderId, { parameters, personal }) =>
    pipe(
      TE.fromEither(revisionParameter(parameters)),
      TE.bindTo('revision'),
      TE.bind('events', () => recordedEvents(store, orderId)),
      TE.chainEitherK(({ revision, events }) => orderFrom(events, revision, now())),
      TE.map((order) => ({ headers: { ETag: `W/"${order.revision}"` }, body: orderResource(order, personal) })),
    ),
  ),
});

/** Streams are read at their head, so every position that the store has given is included; only a foreign one is refused. */
const eventsUpTo = (
  { store }: ApiDependencies,
  parameters: Parameters,
  orderId: OrderId,
): TE.TaskEither<Problem, readonly RecordedEvent[]> =>
  pipe(
    positionParameter(store, parameters),
    TE.chain(() => recordedEvents(store, orderId)),
  );

const eventList = (deps: ApiDependencies): Route => ({
  method: 'get',
  path: '/v1/orders/:orderId/events',
  scopes: ['orders:read'],
  parameters: ['position'],
  answer: aboutOrder((orderId, { parameters, personal }) =>
    pipe(
      eventsUpTo(deps, parameters, orderId),
      TE.chainEitherK(readEvents),
      TE.chainEitherK((events) =>
        pipe(
          events,
          E.traverseArray((event) => eventResource(event, personal)),
          E.mapLeft(unreadableEvent),
        ),
      ),
      TE.map((data) => ({ body: { data, next: null } })),
    ),
  ),
});

const eventBody = ({ store }: ApiDependencies): Route => ({
  method: 'get',
  path: '/v1/orders/:orderId/events/:revision/body',
  scopes: ['audit:read', 'pii:read'],
  parameters: [],
  answer: aboutOrder((orderId, { path }) =>
    pipe(
      recordedEvents(store, orderId),
      TE.chainEitherK((events) => {
        const revision = parseRevision(revisionInPath(path));
        return E.fromNullable(NO_SUCH_REVISION)(revision === null ? null : events[revision]);
      }),
      TE.chainEitherK(signedBody),
    ),
  ),
});

const auditOfOrder = (deps: ApiDependencies): Route => ({
  method: 'get',
  path: '/v1/orders/:orderId/audit',
  scopes: ['audit:read'],
  parameters: ['position'],
  answer: aboutOrder((orderId, { parameters, personal }) =>
    pipe(
      eventsUpTo(deps, parameters, orderId),
      TE.map((events) => ({
        body: {
          data: events.map((event) => auditEntry(event, (recorded) => verifyEvent(recorded, deps.secretKey), personal)),
          next: null,
        },
      })),
    ),
  ),
});

/** What can be asked about one order (contract.md, Asking). */
export const orderRoutes = (deps: ApiDependencies): readonly Route[] => [
  oneOrder(deps),
  eventList(deps),
  eventBody(deps),
  auditOfOrder(deps),
];
