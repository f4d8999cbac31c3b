import { turnsBetween } from '../concurrency/turns-between.ts';
import type { DocumentedRoute } from '../http/documented-router.ts';
import { ProblemResource } from '../http/problem.ts';
import { openApiDocument } from '../openapi/openapi-document.ts';
import type { Operation } from '../openapi/operation.ts';
import examples from './examples.json' with { type: 'json' };
import { publicFileAnswers, type PublicFiles } from './public-file.ts';

/** The version of the interface that the document describes: the `v1` of its paths. */
const VERSION = '1.0.0';

const OPERATION: Operation = {
  id: 'getOpenApiDocument',
  method: 'get',
  path: '/openapi.json',
  tag: 'Operating',
  summary: 'This document',
  scopes: [],
  parameters: [],
  answers: publicFileAnswers('OpenAPI 3.1.', [{ type: 'application/json', schema: { type: 'object' } }]),
  problems: [],
};

/** What the provider sends is what these receive, under the name that the document gives it. */
const webhooksOf = (operations: readonly Operation[]): Readonly<Record<string, Operation>> =>
  Object.fromEntries(
    operations.flatMap((operation) => (operation.tag === 'Receiving' ? [['orderEvent', operation]] : [])),
  );

/** `/openapi.json`: the document of these operations and of itself. It is written when it is first asked for. */
export const openApiRoute = (files: PublicFiles, operations: readonly Operation[]): DocumentedRoute => ({
  operation: OPERATION,
  handle: files({
    type: 'application/json',
    bytes: async () =>
      Buffer.from(
        JSON.stringify(
          await openApiDocument(
            {
              version: VERSION,
              operations: [...operations, OPERATION],
              webhooks: webhooksOf(operations),
              problem: ProblemResource,
              examples,
            },
            turnsBetween(),
          ),
        ),
      ),
  }),
});
