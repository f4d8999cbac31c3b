import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { QueryDependencies } from '../queries/query-dependencies.ts';
import { lineList, parseLineList, STATEMENT_LIST_PARAMETERS } from '../queries/statements/statement-lists.ts';
import { LinePageResource } from '../queries/statements/statement-resources.ts';
import type { RouteDependencies } from './described-route.ts';
import { route, type ApiRoute } from './route.ts';

type Deps = RouteDependencies & Pick<QueryDependencies, 'store' | 'readModels'>;

/** Lines of bank files, each of up to 160 KB (docs/spec/statements.md, Importing). */
export const statementLineRoute = (deps: Deps): ApiRoute =>
  route(deps, {
    id: 'listStatementLines',
    large: true,
    method: 'get',
    path: '/v1/statements/{statementId}/lines',
    tag: 'Statements',
    summary: 'The lines of an imported bank file, in their order',
    scopes: ['reports:read'],
    parameters: STATEMENT_LIST_PARAMETERS,
    answers: { description: 'A page of lines.', resource: LinePageResource },
    problems: ['not-found', 'behind', 'store-unavailable'],
    answer: ({ query, inPath: { statementId }, personal }) =>
      pipe(
        parseLineList(deps, statementId)(query),
        TE.chain(lineList(deps, personal)),
        TE.map((body) => ({ body })),
      ),
  });
