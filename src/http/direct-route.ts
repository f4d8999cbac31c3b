import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { RequestId } from '../domain/ids.ts';
import type { AccessLine, AccessLog } from './access-log.ts';
import type { ApiLog } from './api-log.ts';
import type { LogFields } from './log-fields.ts';
import { plainProblem } from './plain-problem.ts';
import { notProvedBy, provedBy } from './connections/proved-connections.ts';
import { requestIdOf } from './request-id.ts';
import { traceOf } from './trace-context.ts';
import { INTERNAL_ERROR } from './unexpected-errors.ts';

/** What every route has around it. */
export type Surroundings = {
  readonly newRequestId: () => RequestId;
  /** Told of each request when its reply is made. */
  readonly onRequest: AccessLog;
  /** Told of what nobody expected. */
  readonly log: ApiLog;
};

/** What became of a request, for the access log; `proved`: whether whoever sent it had proved who they are. */
type Became = { readonly outcome: string; readonly proved: boolean };

/** Makes the whole reply to a request on Node's own objects; answers what became of it. */
export type DirectHandler = (request: IncomingMessage, response: ServerResponse, fields: LogFields) => Promise<Became>;

/** A route that is answered without Koa's context and middlewares: they cost a third of what a delivery does. */
export type DirectRoute = { readonly method: string; readonly path: string; readonly handle: DirectHandler };

/** Answers a request of the route. It has the same around it as any other: an id, its trace, a log line, a 500 where its handler fails. */
const answer = async (
  { path, method, handle }: DirectRoute,
  { newRequestId, onRequest, log }: Surroundings,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const start = performance.now();
  const requestId = requestIdOf(request, newRequestId);
  const trace = traceOf(request);
  const fields: LogFields = trace === null ? { requestId } : { requestId, ...trace };
  let became: Became | undefined;
  try {
    became = await handle(request, response, fields);
  } catch (err) {
    log.error({ err, ...fields }, 'unexpected error');
    // A reply that is under way can only be cut off, so that nobody takes it for whole.
    if (response.headersSent) response.destroy();
    else {
      const { headers, text } = plainProblem(INTERNAL_ERROR, requestId);
      response.writeHead(INTERNAL_ERROR.status, [...headers]).end(text);
    }
  }
  const line: AccessLine = {
    ...fields,
    method,
    route: path,
    status: response.statusCode,
    durationMs: Math.round((performance.now() - start) * 1000) / 1000,
  };
  if (became === undefined) {
    onRequest(line, false);
    return;
  }
  const { outcome, proved } = became;
  (proved ? provedBy : notProvedBy)(request.socket);
  onRequest({ ...line, outcome }, proved);
};

/** Answers requests of these routes, where their addresses are spelled exactly so, and leaves all others to a listener. */
export const withDirectRoutes = (
  routes: readonly DirectRoute[],
  surroundings: Surroundings,
  others: RequestListener,
): RequestListener => {
  const byPath = new Map(routes.map((route) => [route.path, route]));
  return (request, response) => {
    const route = byPath.get(request.url ?? '');
    if (route !== undefined && request.method === route.method) void answer(route, surroundings, request, response);
    else others(request, response);
  };
};
