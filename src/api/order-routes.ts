import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { OrderId } from '../domain/ids.ts';
import type { RecordedEvent } from '../domain/recorded-event.ts';
import { verifyEvent } from '../ledger/verify-event.ts';
import { orderEvidence } from '../queries/evidence/order-evidence.ts';
import type { QueryFailure } from '../queries/failure/query-failure.ts';
import { EventList, eventResource } from '../queries/orders/event-resource.ts';
import { ORDER_PARAMETERS, orderFrom, readEvents, recordedEvents } from '../queries/orders/one-order.ts';
import { recordedEvent } from '../queries/orders/one-event.ts';
import { OrderResource, orderResource } from '../queries/orders/order-resource.ts';
import { positionText } from '../queries/parameters/parameters.ts';
import { positionParameter } from '../queries/parameters/position-parameter.ts';
import { VerifiedEntries, verifiedEntryResource } from '../queries/trail/audit-entry-resource.ts';

import { EVIDENCE_ATTACHED, EVIDENCE_TYPE, evidenceReply } from '../replies/evidence-reply.ts';
import type { QueryDependencies } from '../queries/query-dependencies.ts';
import type { RouteDependencies } from './described-route.ts';
import { route, type ApiRoute } from './route.ts';
import { SIGNED_BODY, signedBody } from './signed-body.ts';

type Deps = RouteDependencies & Pick<QueryDependencies, 'store' | 'secretKey' | 'now' | 'proofs'>;

const oneOrder = (deps: Deps): ApiRoute =>
  route(deps, {
    id: 'getOrder',
    large: true,
    method: 'get',
    path: '/v1/orders/{orderId}',
    tag: 'Orders',
    summary: 'One order, always current with its stream',
    scopes: ['orders:read'],
    parameters: ORDER_PARAMETERS,
    answers: {
      description: 'The order.',
      resource: OrderResource,
      headers: {
        ETag: {
          description: 'The revision, weak; no 304 is given.',
          schema: { type: 'string', pattern: String.raw`^W/"\d+"$` },
        },
      },
    },
    problems: ['not-found', 'store-unavailable', 'unreadable-event'],
    answer: ({ inPath: { orderId }, query: { revision }, personal }) =>
      pipe(
        recordedEvents(deps.store, orderId),
        TE.chainEitherKW((events) => orderFrom(events, revision, deps.now())),
        TE.map((order) => ({ headers: { ETag: `W/"${order.revision}"` }, body: orderResource(order, personal) })),
      ),
  });

/** Streams are read at their head, so every position that the store has given is included; only a foreign one is refused. */
const eventsUpTo = (
  { store }: Deps,
  position: string | null,
  orderId: OrderId,
): TE.TaskEither<QueryFailure, readonly RecordedEvent[]> =>
  pipe(
    positionParameter(store, position),
    TE.chainW(() => recordedEvents(store, orderId)),
  );

const eventList = (deps: Deps): ApiRoute =>
  route(deps, {
    id: 'listOrderEvents',
    large: true,
    method: 'get',
    path: '/v1/orders/{orderId}/events',
    tag: 'Orders',
    summary: 'Every event of an order, oldest first',
    scopes: ['orders:read'],
    parameters: { position: positionText },
    answers: { description: 'All of them; `next` is null.', resource: EventList },
    problems: ['not-found', 'store-unavailable', 'unreadable-event'],
    answer: ({ inPath: { orderId }, query: { position }, personal }) =>
      pipe(
        eventsUpTo(deps, position, orderId),
        TE.chainEitherKW(readEvents),
        TE.chainEitherKW(E.traverseArray((event) => eventResource(event, personal))),
        TE.map((data) => ({ body: { data, next: null } })),
      ),
  });

const eventBody = (deps: Deps): ApiRoute =>
  route(deps, {
    id: 'getEventBody',
    large: true,
    method: 'get',
    path: '/v1/orders/{orderId}/events/{revision}/body',
    tag: 'Orders',
    summary: 'The signed bytes of an event',
    scopes: ['audit:read', 'pii:read'],
    parameters: {},
    answers: SIGNED_BODY,
    problems: ['not-found', 'store-unavailable', 'unreadable-event'],
    answer: ({ inPath: { orderId, revision } }) =>
      pipe(recordedEvent(deps.store, orderId, revision), TE.chainEitherKW(signedBody)),
  });

const auditOfOrder = (deps: Deps): ApiRoute =>
  route(deps, {
    id: 'listOrderAudit',
    large: true,
    method: 'get',
    path: '/v1/orders/{orderId}/audit',
    tag: 'Audit',
    summary: 'The audit entries of an order, each verified anew',
    scopes: ['audit:read'],
    parameters: { position: positionText },
    answers: { description: 'All of them; `next` is null.', resource: VerifiedEntries },
    problems: ['not-found', 'store-unavailable'],
    answer: ({ inPath: { orderId }, query: { position }, personal }) =>
      pipe(
        eventsUpTo(deps, position, orderId),
        TE.map((events) => ({
          body: {
            data: events.map((event) => verifiedEntryResource(event, verifyEvent(event, deps.secretKey), personal)),
            next: null,
          },
        })),
      ),
  });

const evidence = (deps: Deps): ApiRoute =>
  route(deps, {
    id: 'getOrderEvidence',
    method: 'get',
    path: '/v1/orders/{orderId}/evidence',
    tag: 'Proofs',
    summary: 'All that proves the history of an order, as one file for a provider, an auditor or a court',
    description:
      'Signed bytes and signatures, inclusion proofs, the checkpoint, the order as shown, a page that checks all of it without a network, and an explanation. `ramp-ledger verify-evidence` checks every byte of it.',
    scopes: ['audit:read', 'pii:read'],
    parameters: {},
    answers: {
      description: 'A ZIP.',
      resource: null,
      headers: { 'Content-Disposition': EVIDENCE_ATTACHED },
      others: [{ type: EVIDENCE_TYPE, schema: {} }],
    },
    problems: ['not-found', 'store-unavailable', 'unreadable-event', 'behind', 'history-lost'],
    large: true,
    answer: ({ inPath: { orderId } }) =>
      pipe(
        orderEvidence(deps, orderId),
        TE.map(({ zip }) => evidenceReply(orderId, zip)),
      ),
  });

/** What can be asked about one order (docs/spec/http.md, One order). */
export const orderRoutes = (deps: Deps): readonly ApiRoute[] => [
  oneOrder(deps),
  eventList(deps),
  eventBody(deps),
  auditOfOrder(deps),
  evidence(deps),
];
