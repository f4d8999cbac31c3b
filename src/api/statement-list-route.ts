import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { QueryDependencies } from '../queries/query-dependencies.ts';
import { parseStatementList, STATEMENT_LIST_PARAMETERS, statementList } from '../queries/statements/statement-lists.ts';
import { StatementPageResource } from '../queries/statements/statement-resources.ts';
import type { RouteDependencies } from './described-route.ts';
import { route, type ApiRoute } from './route.ts';

type Deps = RouteDependencies & Pick<QueryDependencies, 'store' | 'readModels'>;

/** Imported bank files, each with all its accounts (docs/spec/statements.md, Reading). */
export const statementListRoute = (deps: Deps): ApiRoute =>
  route(deps, {
    id: 'listStatements',
    large: true,
    method: 'get',
    path: '/v1/statements',
    tag: 'Statements',
    summary: 'Imported bank files, in the order in which they came',
    scopes: ['reports:read'],
    parameters: STATEMENT_LIST_PARAMETERS,
    answers: { description: 'A page of files.', resource: StatementPageResource },
    problems: ['behind', 'store-unavailable'],
    answer: ({ query, personal }) =>
      pipe(
        parseStatementList(deps)(query),
        TE.chain(statementList(deps, personal)),
        TE.map((body) => ({ body })),
      ),
  });
