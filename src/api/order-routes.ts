import { Router } from '@koa/router';
import { either as E, taskEither as TE } from 'fp-ts';
import { pipe } from 'fp-ts/lib/function.js';
import { parseMetadata } from '../domain/event-metadata.ts';
import type { OrderId } from '../domain/ids.ts';
import { signedBytes, type RecordedEvent } from '../domain/recorded-event.ts';
import { verifyEvent } from '../ledger/verify-event.ts';
import type { ApiDependencies } from './api-dependencies.ts';
import type { ApiMiddleware, ApiRouter } from '../http/api-context.ts';
import type { ApiKey } from './api-key.ts';
import { authorise } from './authorise.ts';
import { NO_SUCH_REVISION, orderFrom, readEvents, recordedEvents } from './order-queries.ts';
import { orderIdInPath, revisionInPath } from './order-path.ts';
import { parseRevision, readParameters, type Parameters } from './parameters.ts';
import type { Problem } from '../http/problem.ts';
import { invalidParameter, unreadableEvent } from './query-problems.ts';
import { sendAnswer, type Answer, type Reply } from './reply.ts';
import { auditEntry } from './resources/audit-entry.ts';
import { eventResource } from './resources/event-resource.ts';
import { orderResource, type PersonalData } from './resources/order-resource.ts';

/** A question about one order, from a caller who may ask it. */
type OrderQuestion = {
  readonly orderId: OrderId;
  readonly path: string;
  readonly parameters: Parameters;
  readonly personal: PersonalData;
};

type OrderRoute = {
  /** The caller needs each of them. */
  readonly scopes: readonly string[];
  readonly parameters: readonly string[];
  readonly answer: (question: OrderQuestion) => Answer;
};

const personalDataFor = ({ scopes }: ApiKey): PersonalData => (scopes.has('pii:read') ? 'shown' : 'masked');

/** Asks in this order: who, what, which order, so that nobody learns more than they may. */
const asked =
  ({ apiKeys, log }: ApiDependencies, route: OrderRoute): ApiMiddleware =>
  (ctx) => {
    const question = pipe(
      authorise(apiKeys(), ctx.get('Authorization'), route.scopes),
      E.tap((caller) => {
        ctx.state.apiKeyId = caller.id;
        return E.right(caller);
      }),
      E.bindTo('caller'),
      E.bind('parameters', () => readParameters(ctx.querystring, route.parameters)),
      E.bind('orderId', () => orderIdInPath(ctx.path)),
      E.map(({ caller, ...rest }) => ({ ...rest, path: ctx.path, personal: personalDataFor(caller) })),
    );
    return sendAnswer(ctx, log, pipe(TE.fromEither(question), TE.chain(route.answer)));
  };

const revisionParameter = (parameters: Parameters): E.Either<Problem, number | null> => {
  const text = parameters.get('revision');
  if (text === undefined) return E.right(null);
  const revision = parseRevision(text);
  return revision === null ? E.left(invalidParameter('revision', 'expected a whole number from 0')) : E.right(revision);
};

const oneOrder = ({ store, now }: ApiDependencies): OrderRoute => ({
  scopes: ['orders:read'],
  parameters: ['revision'],
  answer: ({ orderId, parameters, personal }) =>
    pipe(
      TE.fromEither(revisionParameter(parameters)),
      TE.bindTo('revision'),
      TE.bind('events', () => recordedEvents(store, orderId)),
      TE.chainEitherK(({ revision, events }) => orderFrom(events, revision, now())),
      TE.map((order) => ({ headers: { ETag: `W/"${order.revision}"` }, body: orderResource(order, personal) })),
    ),
});

/** Streams are read at their head, so every position that the store has given is included; only a foreign one is refused. */
const positionParameter = ({ store }: ApiDependencies, parameters: Parameters): E.Either<Problem, null> => {
  const text = parameters.get('position');
  if (text === undefined) return E.right(null);
  return pipe(
    store.parsePosition(text),
    E.bimap(
      () => invalidParameter('position', 'is none that this ledger has given'),
      () => null,
    ),
  );
};

const eventList = (deps: ApiDependencies): OrderRoute => ({
  scopes: ['orders:read'],
  parameters: ['position'],
  answer: ({ orderId, parameters, personal }) =>
    pipe(
      TE.fromEither(positionParameter(deps, parameters)),
      TE.chain(() => recordedEvents(deps.store, orderId)),
      TE.chainEitherK(readEvents),
      TE.map((events) => ({ body: { data: events.map((event) => eventResource(event, personal)), next: null } })),
    ),
});

const download = (event: RecordedEvent): E.Either<Problem, Reply> => {
  const signature = parseMetadata(event.metadata)?.signature ?? '';
  if (!/^[\da-f]{64}$/i.test(signature)) {
    const problem = 'its metadata is not what the ledger writes';
    return E.left(unreadableEvent({ _tag: 'UnreadableEvent', recorded: event, problem }));
  }
  return E.right({
    headers: {
      'X-Service-Signature': signature,
      'Content-Disposition': `attachment; filename="${event.id}.body"`,
      'Content-Security-Policy': "default-src 'none'; sandbox",
    },
    body: signedBytes(event),
  });
};

const signedBody = ({ store }: ApiDependencies): OrderRoute => ({
  scopes: ['audit:read', 'pii:read'],
  parameters: [],
  answer: ({ orderId, path }) =>
    pipe(
      recordedEvents(store, orderId),
      TE.chainEitherK((events) => {
        const revision = parseRevision(revisionInPath(path));
        return E.fromNullable(NO_SUCH_REVISION)(revision === null ? null : events[revision]);
      }),
      TE.chainEitherK(download),
    ),
});

const auditList = (deps: ApiDependencies): OrderRoute => ({
  scopes: ['audit:read'],
  parameters: ['position'],
  answer: ({ orderId, parameters }) =>
    pipe(
      TE.fromEither(positionParameter(deps, parameters)),
      TE.chain(() => recordedEvents(deps.store, orderId)),
      TE.map((events) => ({
        body: {
          data: events.map((event) => auditEntry(event, (recorded) => verifyEvent(recorded, deps.secretKey))),
          next: null,
        },
      })),
    ),
});

/** What can be asked about one order (contract.md, Asking). */
export const orderRoutes = (deps: ApiDependencies): ApiRouter => {
  const router: ApiRouter = new Router({ sensitive: true, strict: true });
  router.get('/v1/orders/:orderId', asked(deps, oneOrder(deps)));
  router.get('/v1/orders/:orderId/events', asked(deps, eventList(deps)));
  router.get('/v1/orders/:orderId/events/:revision/body', asked(deps, signedBody(deps)));
  router.get('/v1/orders/:orderId/audit', asked(deps, auditList(deps)));
  return router;
};
