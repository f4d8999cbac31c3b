import * as TE from 'fp-ts/lib/TaskEither.js';
import type { ApiLog } from '../http/api-log.ts';
import type { DocumentedRoute } from '../http/documented-router.ts';
import { ProblemResource } from '../http/problem.ts';
import { openApiDocument } from '../openapi/openapi-document.ts';
import type { Operation } from '../openapi/operation.ts';
import { sendAnswer } from './answer.ts';
import examples from './examples.json' with { type: 'json' };

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
  answers: [
    {
      status: 200,
      description: 'OpenAPI 3.1.',
      headers: {},
      contents: [{ type: 'application/json', schema: { type: 'object' } }],
    },
  ],
  problems: [],
};

/** What the provider sends is what these receive, under the name that the document gives it. */
const webhooksOf = (operations: readonly Operation[]): Readonly<Record<string, Operation>> =>
  Object.fromEntries(
    operations.flatMap((operation) => (operation.tag === 'Receiving' ? [['orderEvent', operation]] : [])),
  );

/** `/openapi.json`: the document of these operations and of itself. It is written when it is first asked for. */
export const openApiRoute = ({ log }: { readonly log: ApiLog }, operations: readonly Operation[]): DocumentedRoute => {
  let bytes: Buffer | null = null;
  const write = (): Buffer =>
    Buffer.from(
      JSON.stringify(
        openApiDocument({
          version: VERSION,
          operations: [...operations, OPERATION],
          webhooks: webhooksOf(operations),
          problem: ProblemResource,
          examples,
        }),
      ),
    );
  return {
    operation: OPERATION,
    handle: (ctx) => {
      bytes ??= write();
      const headers = { 'Cache-Control': 'no-cache' };
      return sendAnswer(ctx, log, null, TE.right({ type: 'application/json', headers, body: bytes }));
    },
  };
};
