import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { DocumentedRoute } from '../http/documented-router.ts';
import { DecidedResource, decideMatch, DecisionBody, undecideMatch } from '../queries/reconciliation/decide-match.ts';
import { RECONCILIATION_PARAMETERS } from '../queries/reconciliation/reconciliation-parameters.ts';
import {
  parseReconciliation,
  reconciliation,
  ReconciliationResource,
} from '../queries/reconciliation/reconciliation.ts';
import { onceListed } from '../queries/parameters/position-parameter.ts';
import type { ApiDependencies } from './api-dependencies.ts';
import { authorOf } from './author.ts';
import { matchItemRoute } from './match-item-route.ts';
import { jsonIn } from './json-body.ts';
import { route } from './route.ts';

const MOST_BODY_BYTES = 262_144;

const summary = (deps: ApiDependencies): DocumentedRoute =>
  route(deps, {
    id: 'getReconciliation',
    method: 'get',
    path: '/v1/reconciliation',
    tag: 'Reconciliation',
    summary: 'What is matched and what is open, since when and how much',
    scopes: ['reports:read'],
    parameters: RECONCILIATION_PARAMETERS,
    answers: { description: 'Items counted by flow, currency and state.', resource: ReconciliationResource },
    problems: ['behind', 'store-unavailable'],
    answer: ({ query, personal }) =>
      pipe(
        parseReconciliation(deps)(query),
        TE.chain(reconciliation(deps, personal)),
        TE.map((body) => ({ body })),
      ),
  });

const PATH = '/v1/reconciliation/items/{itemId}/decision';

const decide = (deps: ApiDependencies): DocumentedRoute =>
  route(deps, {
    id: 'decideReconciliationItem',
    method: 'post',
    path: PATH,
    tag: 'Reconciliation',
    summary: 'Say what belongs together, what does not, or why an item needs nothing more',
    scopes: ['statements:write'],
    parameters: {},
    body: {
      description: '`accept` matches what `with` names, `reject` parts it, `explain` takes the item off the list.',
      codecs: [DecisionBody],
      mostBytes: MOST_BODY_BYTES,
    },
    answers: { description: 'What was decided.', resource: DecidedResource },
    problems: ['not-found', 'decision-too-large', 'behind', 'store-unavailable', 'not-durable'],
    answer: (question) =>
      pipe(
        question.body,
        TE.chainEitherKW((bytes) => jsonIn(DecisionBody, bytes)),
        TE.chainW((body) => decideMatch(deps, authorOf(deps, question))(question.inPath.itemId, body)),
        TE.chainFirstW(({ position }) => onceListed(deps, position)),
        TE.map((body) => ({ body })),
      ),
  });

const undecide = (deps: ApiDependencies): DocumentedRoute =>
  route(deps, {
    id: 'undecideReconciliationItem',
    method: 'delete',
    path: PATH,
    tag: 'Reconciliation',
    summary: 'Take a decision back',
    scopes: ['statements:write'],
    parameters: {},
    answers: { description: 'That it was taken back.', resource: DecidedResource },
    problems: ['not-found', 'behind', 'store-unavailable', 'not-durable'],
    answer: (question) =>
      pipe(
        undecideMatch(deps, authorOf(deps, question))(question.inPath.itemId),
        TE.chainFirstW(({ position }) => onceListed(deps, position)),
        TE.map((body) => ({ body })),
      ),
  });

/** What can be asked of the match, and decided (docs/spec/match.md). */
export const reconciliationRoutes = (deps: ApiDependencies): readonly DocumentedRoute[] => [
  summary(deps),
  matchItemRoute(deps),
  decide(deps),
  undecide(deps),
];
