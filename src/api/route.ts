import type * as TE from 'fp-ts/lib/TaskEither.js';
import type { DocumentedRoute } from '../http/documented-router.ts';
import type { ContentDoc, Operation } from '../openapi/operation.ts';
import type { ParameterTable } from '../queries/parameters/parameters.ts';
import type { Resource } from '../replies/reply.ts';
import type { ApiFailure } from './api-failure.ts';
import { answerHanded, askedRoute } from './asked-route.ts';
import type { Route, RouteDependencies } from './described-route.ts';
import type { HandedQuestion, WrittenReply } from './handed-question.ts';
import { parameterDocs, pathDocs } from './parameter-docs.ts';

/** A route that another thread may answer too. */
export type ApiRoute = DocumentedRoute & {
  readonly id: string;
  readonly answerHanded: (question: HandedQuestion) => TE.TaskEither<ApiFailure, WrittenReply>;
};

/** What may become of every question, before the route is asked. */
const OF_EVERY_QUESTION = [
  'invalid-parameter',
  'unauthorized',
  'forbidden',
  'rate-limited',
  'internal-error',
  'overloaded',
] as const;

/** What else may become of one with a body; one that ends in the middle is answered to nobody. */
const OF_A_BODY = ['body-too-large', 'body-timeout'] as const;

const json = <A>(resource: Resource<A> | null): readonly ContentDoc[] =>
  resource === null ? [] : [{ type: 'application/json', codec: resource }];

/** What the document says of a route. */
const operationOf = <Path extends string, T extends ParameterTable, A>({
  id,
  method,
  path,
  tag,
  summary,
  description,
  scopes,
  parameters,
  headers: read = [],
  body,
  answers: { description: answered, resource, others = [], headers = {} },
  problems,
}: Route<Path, T, A>): Operation => ({
  id,
  method,
  path,
  tag,
  summary,
  ...(description === undefined ? {} : { description }),
  scopes,
  parameters: [...pathDocs(path), ...parameterDocs(parameters), ...read],
  ...(body === undefined ? {} : { body }),
  answers: [{ status: 200, description: answered, headers, contents: [...json(resource), ...others] }],
  problems: [...OF_EVERY_QUESTION, ...(body === undefined ? [] : OF_A_BODY), ...problems],
});

/** A route and its documentation, of one description. */
export const route = <Path extends string, T extends ParameterTable, A>(
  deps: RouteDependencies,
  described: Route<Path, T, A>,
): ApiRoute => ({
  id: described.id,
  // Made where it is asked for: another thread makes its routes for each question, and shows no document.
  get operation() {
    return operationOf(described);
  },
  handle: askedRoute(deps, described),
  answerHanded: answerHanded(described),
});
