import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as t from 'io-ts';
import type { EventId } from '../domain/ids.ts';
import type { Author } from '../domain/own-event/own-metadata.ts';
import { DeliveryAnswer } from '../http/delivery-answer.ts';
import type { DocumentedRoute } from '../http/documented-router.ts';
import { replyBody } from '../ledger/reply-body.ts';
import { checkedBy } from '../openapi/described.ts';
import { ClosedResource, closeQuarantined, reopenQuarantined } from '../queries/quarantine/close-quarantined.ts';
import { NOT_IN_QUARANTINE, quarantinedById } from '../queries/quarantine/quarantined-by-id.ts';
import { release } from '../queries/quarantine/release.ts';
import type { ApiDependencies } from './api-dependencies.ts';
import { jsonIn } from './json-body.ts';
import { quarantineListRoute } from './quarantine-list-route.ts';
import { route } from './route.ts';
import { SIGNED_BODY, signedBody } from './signed-body.ts';

const body = (deps: ApiDependencies): DocumentedRoute =>
  route(deps, {
    id: 'getQuarantinedBody',
    method: 'get',
    path: '/v1/quarantine/{eventId}/body',
    tag: 'Quarantine',
    summary: 'The signed bytes of a quarantined delivery',
    scopes: ['audit:read', 'pii:read'],
    parameters: {},
    answers: SIGNED_BODY,
    problems: ['not-found', 'behind', 'store-unavailable', 'unreadable-event'],
    answer: ({ inPath: { eventId } }) =>
      pipe(
        quarantinedById(deps, eventId),
        TE.bindTo('quarantined'),
        TE.bindW('events', ({ quarantined }) => deps.store.readStream(quarantined.stream)),
        TE.chainEitherKW(({ quarantined, events }) =>
          E.fromNullable(NOT_IN_QUARANTINE)(events.find(({ id }) => id === quarantined.eventId)),
        ),
        TE.chainEitherKW(signedBody),
      ),
  });

const releaseRoute = (deps: ApiDependencies): DocumentedRoute =>
  route(deps, {
    id: 'releaseQuarantined',
    method: 'post',
    path: '/v1/quarantine/{eventId}/release',
    tag: 'Quarantine',
    summary: "Decide a quarantined delivery again, by today's rules",
    description: 'A repeat finishes a release that was interrupted, and answers the same.',
    scopes: ['quarantine:write'],
    parameters: {},
    answers: { description: 'As a delivery is answered.', resource: DeliveryAnswer },
    problems: ['not-found', 'behind', 'store-unavailable', 'not-durable', 'unreadable-event'],
    answer: ({ inPath: { eventId }, requestId }) =>
      pipe(
        release(deps, eventId, requestId),
        TE.map((recorded) => ({ body: replyBody(recorded) })),
      ),
  });

/** A note is read by people. */
const MOST_BYTES = 65_536;

const Note = checkedBy('a text that is not blank', (u): u is string => typeof u === 'string' && u.trim() !== '', {
  type: 'string',
  minLength: 1,
  maxLength: 2_000,
  description: 'Why.',
});

const ClosingBody = t.exact(t.type({ note: Note }), 'QuarantineClosingBody');

type Deed = {
  readonly id: string;
  readonly path: '/v1/quarantine/{eventId}/close' | '/v1/quarantine/{eventId}/reopen';
  readonly summary: string;
  /** What it can't be done after. */
  readonly refused: 'already-closed' | 'not-closed';
  readonly perform: (
    deps: ApiDependencies,
    eventId: EventId,
    note: string,
    author: Author,
  ) => ReturnType<typeof closeQuarantined>;
};

const deed = (deps: ApiDependencies, { id, path, summary, refused, perform }: Deed): DocumentedRoute =>
  route(deps, {
    id,
    method: 'post',
    path,
    tag: 'Quarantine',
    summary,
    scopes: ['quarantine:write'],
    parameters: {},
    body: { description: 'Why.', codecs: [ClosingBody], mostBytes: MOST_BYTES },
    answers: { description: 'Whether it is closed now, by whom, when and why.', resource: ClosedResource },
    problems: [
      'not-found',
      refused,
      'already-released',
      'behind',
      'store-unavailable',
      'not-durable',
      'unreadable-event',
    ],
    answer: ({ inPath: { eventId }, keyId, requestId, body: bytes }) =>
      pipe(
        bytes,
        TE.chainEitherKW((read) => jsonIn(ClosingBody, read)),
        TE.chainW(({ note }) => perform(deps, eventId, note, { by: keyId, at: deps.now(), requestId })),
        TE.map((answer) => ({ body: answer })),
      ),
  });

const close = (deps: ApiDependencies): DocumentedRoute =>
  deed(deps, {
    id: 'closeQuarantined',
    path: '/v1/quarantine/{eventId}/close',
    summary: 'Close a quarantined delivery: nothing more is to be done about it',
    refused: 'already-closed',
    perform: closeQuarantined,
  });

const reopen = (deps: ApiDependencies): DocumentedRoute =>
  deed(deps, {
    id: 'reopenQuarantined',
    path: '/v1/quarantine/{eventId}/reopen',
    summary: 'Open a closed delivery again',
    refused: 'not-closed',
    perform: reopenQuarantined,
  });

/** What can be asked about what could not be read, its release and its closing (docs/spec/http.md, Quarantine). */
export const quarantineRoutes = (deps: ApiDependencies): readonly DocumentedRoute[] => [
  quarantineListRoute(deps),
  body(deps),
  releaseRoute(deps),
  close(deps),
  reopen(deps),
];
