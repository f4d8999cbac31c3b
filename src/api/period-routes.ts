import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as t from 'io-ts';
import type { Author } from '../domain/own-event/own-metadata.ts';
import type { DocumentedRoute } from '../http/documented-router.ts';
import { checkedBy, described } from '../openapi/described.ts';
import { AdjustmentPageResource, adjustmentList } from '../queries/periods/adjustment-list.ts';
import { closePeriod } from '../queries/periods/close-period.ts';
import { knownPeriod } from '../queries/periods/known-period.ts';
import { PeriodPageResource, PeriodResource } from '../queries/periods/period-resource.ts';
import { monthNamed } from '../queries/periods/read-period.ts';
import { onePeriod, PERIOD_LIST_PARAMETERS, periodList } from '../queries/periods/periods.ts';
import { ReadinessResource, readinessResource } from '../queries/periods/readiness-resource.ts';
import { CHECK_NAMES, readiness } from '../queries/periods/readiness.ts';
import { oneOfWords } from '../queries/resources/values.ts';
import { reopenPeriod } from '../queries/periods/reopen-period.ts';
import type { ApiDependencies } from './api-dependencies.ts';
import { jsonIn } from './request-body.ts';
import { route, type Question } from './route.ts';

/** A note is read by people. */
const MOST_BYTES = 65_536;

const authorOf = (
  { now }: Pick<ApiDependencies, 'now'>,
  { keyId, requestId }: Pick<Question<string, Record<string, never>>, 'keyId' | 'requestId'>,
): Author => ({ by: keyId, at: now(), requestId });

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

const list = (deps: ApiDependencies): DocumentedRoute =>
  route(deps, {
    id: 'listPeriods',
    method: 'get',
    path: '/v1/periods',
    tag: 'Periods',
    summary: 'Every month from the first with figures to the current one, newest first',
    scopes: ['reports:read'],
    parameters: PERIOD_LIST_PARAMETERS,
    answers: { description: 'A page of months.', resource: PeriodPageResource },
    problems: ['behind', 'store-unavailable', 'unreadable-event'],
    answer: ({ query }) =>
      pipe(
        periodList(deps)(query),
        TE.map((body) => ({ body })),
      ),
  });

const one = (deps: ApiDependencies): DocumentedRoute =>
  route(deps, {
    id: 'getPeriod',
    method: 'get',
    path: '/v1/periods/{period}',
    tag: 'Periods',
    summary: 'One month',
    scopes: ['reports:read'],
    parameters: {},
    answers: { description: 'The month.', resource: PeriodResource },
    problems: ['not-found', 'behind', 'store-unavailable', 'unreadable-event'],
    answer: ({ inPath: { period } }) =>
      pipe(
        onePeriod(deps, period),
        TE.map((body) => ({ body })),
      ),
  });

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

const close = (deps: ApiDependencies): DocumentedRoute =>
  route(deps, {
    id: 'closePeriod',
    method: 'post',
    path: '/v1/periods/{period}/close',
    tag: 'Periods',
    summary: 'Close a month: its figures never change from then on',
    scopes: ['periods:write'],
    parameters: {},
    body: { description: 'What is noted, and what is closed over.', codecs: [CloseBody], mostBytes: MOST_BYTES },
    answers: { description: 'The month, closed.', resource: PeriodResource },
    problems: [
      'not-found',
      'already-closed',
      'period-not-ready',
      'behind',
      'store-unavailable',
      'not-durable',
      'unreadable-event',
    ],
    answer: (question) => {
      const { period: name } = question.inPath;
      return pipe(
        TE.fromEither(monthNamed(name)),
        TE.chainW(() => question.body),
        TE.chainEitherKW((bytes) => jsonIn(CloseBody, bytes)),
        TE.chainW(({ note = '', despite = [] }) =>
          closePeriod(deps, name, { note, despite }, authorOf(deps, question)),
        ),
        TE.chainW(() => onePeriod(deps, name)),
        TE.map((body) => ({ body })),
      );
    },
  });

const reopen = (deps: ApiDependencies): DocumentedRoute =>
  route(deps, {
    id: 'reopenPeriod',
    method: 'post',
    path: '/v1/periods/{period}/reopen',
    tag: 'Periods',
    summary: 'Open the latest closed month again',
    scopes: ['periods:write'],
    parameters: {},
    body: { description: 'Why.', codecs: [ReopenBody], mostBytes: MOST_BYTES },
    answers: { description: 'The month, open.', resource: PeriodResource },
    problems: [
      'not-found',
      'not-closed',
      'later-period-closed',
      'behind',
      'store-unavailable',
      'not-durable',
      'unreadable-event',
    ],
    answer: (question) => {
      const { period: name } = question.inPath;
      return pipe(
        TE.fromEither(monthNamed(name)),
        TE.chainW(() => question.body),
        TE.chainEitherKW((bytes) => jsonIn(ReopenBody, bytes)),
        TE.chainW(({ note }) => reopenPeriod(deps, name, note, authorOf(deps, question))),
        TE.chainW(() => onePeriod(deps, name)),
        TE.map((body) => ({ body })),
      );
    },
  });

const adjustments = (deps: ApiDependencies): DocumentedRoute =>
  route(deps, {
    id: 'listPeriodAdjustments',
    method: 'get',
    path: '/v1/periods/{period}/adjustments',
    tag: 'Periods',
    summary: 'What is known now of a closed month against what was closed',
    scopes: ['reports:read'],
    parameters: PERIOD_LIST_PARAMETERS,
    answers: {
      description: 'For each report and currency what differs, with the orders and events behind it.',
      resource: AdjustmentPageResource,
    },
    problems: ['not-found', 'behind', 'store-unavailable', 'unreadable-event'],
    answer: ({ inPath: { period }, query, personal }) =>
      pipe(
        adjustmentList(deps, personal, period)(query),
        TE.map((body) => ({ body })),
      ),
  });

/** Months: closing them, and what came after (docs/spec/http.md, Periods). */
export const periodRoutes = (deps: ApiDependencies): readonly DocumentedRoute[] => [
  list(deps),
  one(deps),
  readinessRoute(deps),
  close(deps),
  reopen(deps),
  adjustments(deps),
];
