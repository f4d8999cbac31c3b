import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as t from 'io-ts';
import type { Author } from '../domain/own-event/own-metadata.ts';
import type { DocumentedRoute } from '../http/documented-router.ts';
import { checkedBy, described } from '../openapi/described.ts';
import type { Operation } from '../openapi/operation.ts';
import type { QueryFailure } from '../queries/failure/query-failure.ts';
import { closePeriod } from '../queries/periods/close-period.ts';
import { knownPeriod } from '../queries/periods/known-period.ts';
import { ownDeedsIn, PeriodResource } from '../queries/periods/period-resource.ts';
import { monthNamed } from '../queries/periods/read-period.ts';
import { onePeriod } from '../queries/periods/periods.ts';
import { ReadinessResource, readinessResource } from '../queries/periods/readiness-resource.ts';
import { CHECK_NAMES } from '../queries/periods/readiness-check.ts';
import { readiness } from '../queries/periods/readiness.ts';
import { oneOfWords } from '../queries/resources/values.ts';
import { reopenPeriod } from '../queries/periods/reopen-period.ts';
import type { ApiDependencies } from './api-dependencies.ts';
import { authorOf } from './author.ts';
import { jsonIn } from './json-body.ts';
import { periodStateRoutes } from './period-state-routes.ts';
import { route } from './route.ts';

/** A note is read by people. */
const MOST_BYTES = 65_536;

const CheckName = oneOfWords(CHECK_NAMES, 'The name of a check.');

const CloseBody = t.exact(
  t.partial({
    note: described(t.string, 'What is to be remembered of the close.'),
    despite: described(t.array(CheckName), 'Checks that may be not well.'),
  }),
  'PeriodClose',
);

const Note = checkedBy('a text that is not blank', (u): u is string => typeof u === 'string' && u.trim() !== '', {
  type: 'string',
  minLength: 1,
  description: 'Why it is opened again.',
});

const ReopenBody = t.exact(t.type({ note: Note }), 'PeriodReopen');

const readinessRoute = (deps: ApiDependencies): DocumentedRoute =>
  route(deps, {
    id: 'getPeriodReadiness',
    method: 'get',
    path: '/v1/periods/{period}/readiness',
    tag: 'Periods',
    summary: 'What is left to do before a month is closed',
    scopes: ['reports:read'],
    parameters: {},
    answers: { description: 'Each check, and what is behind it.', resource: ReadinessResource },
    problems: ['not-found', 'behind', 'store-unavailable', 'unreadable-event'],
    answer: ({ inPath: { period: name } }) =>
      pipe(
        knownPeriod(deps, name),
        TE.chain(({ period }) => readiness(deps, period.period)),
        TE.map((found) => ({ body: readinessResource(found) })),
      ),
  });

/** What changes a month by a body, and answers the month as it is then; what others did and noted, to those who may read months. */
const change = <Body>(
  deps: ApiDependencies,
  {
    id,
    deed,
    summary,
    body,
    codec,
    answers,
    refusals,
    make,
  }: {
    readonly id: string;
    readonly deed: 'close' | 'reopen';
    readonly summary: string;
    readonly body: string;
    readonly codec: t.Type<Body, unknown>;
    readonly answers: string;
    readonly refusals: Operation['problems'];
    readonly make: (period: string, asked: Body, author: Author) => TE.TaskEither<QueryFailure, unknown>;
  },
): DocumentedRoute =>
  route(deps, {
    id,
    method: 'post',
    path: `/v1/periods/{period}/${deed}`,
    tag: 'Periods',
    summary,
    scopes: ['periods:write'],
    parameters: {},
    body: { description: body, codecs: [codec], mostBytes: MOST_BYTES },
    answers: { description: answers, resource: PeriodResource },
    problems: ['not-found', ...refusals, 'behind', 'store-unavailable', 'not-durable', 'unreadable-event'],
    answer: (question) => {
      const { period: name } = question.inPath;
      return pipe(
        TE.fromEither(monthNamed(name)),
        TE.chainW(() => question.body),
        TE.chainEitherKW((bytes) => jsonIn(codec, bytes)),
        TE.chainW((asked) => make(name, asked, authorOf(deps, question))),
        TE.chainW(() => onePeriod(deps, question.personal, name)),
        TE.map((month) => ({
          body: question.scopes.has('reports:read') ? month : ownDeedsIn(month, question.keyId),
        })),
      );
    },
  });

const close = (deps: ApiDependencies): DocumentedRoute =>
  change(deps, {
    id: 'closePeriod',
    deed: 'close',
    summary: 'Close a month: its figures never change from then on',
    body: 'What is noted, and what is closed over.',
    codec: CloseBody,
    answers: 'The month, closed.',
    refusals: ['already-closed', 'period-too-large', 'period-not-ready'],
    make: (period, { note = '', despite = [] }, author) => closePeriod(deps, period, { note, despite }, author),
  });

const reopen = (deps: ApiDependencies): DocumentedRoute =>
  change(deps, {
    id: 'reopenPeriod',
    deed: 'reopen',
    summary: 'Open the latest closed month again',
    body: 'Why.',
    codec: ReopenBody,
    answers: 'The month, open.',
    refusals: ['not-closed', 'later-period-closed'],
    make: (period, { note }, author) => reopenPeriod(deps, period, note, author),
  });

/** Months: closing them, and what came after (docs/spec/http.md, Periods). */
export const periodRoutes = (deps: ApiDependencies): readonly DocumentedRoute[] => [
  ...periodStateRoutes(deps),
  readinessRoute(deps),
  close(deps),
  reopen(deps),
];
