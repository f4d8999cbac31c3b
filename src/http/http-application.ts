import type { RequestListener } from 'node:http';
import Koa from 'koa';
import { accessLog } from './access-log.ts';
import type { ApiContext, ApiMiddleware, ApiState } from './api-context.ts';
import { tellCutOff, type CutOffLog } from './cut-off.ts';
import { withDirectRoutes, type Surroundings } from './direct-route.ts';
import type { DocumentedRouter } from './documented-router.ts';
import { knownHost, type KnownHosts } from './known-host.ts';
import { requestId } from './request-id.ts';
import { securityHeaders } from './security-headers.ts';
import { traceOf } from './trace-context.ts';
import { unexpectedErrors } from './unexpected-errors.ts';
import { unmatched } from './unmatched.ts';

/** Takes the trace of a request from its header, for the lines that are logged of it. */
const followTrace: ApiMiddleware = (ctx, next) => {
  const trace = traceOf(ctx.req);
  if (trace !== null) ctx.state.trace = trace;
  return next();
};

/** What every route has around it. */
type HttpSurroundings = Surroundings & {
  /** Around all answers but direct ones: how problems are shown to people, say. */
  readonly around?: readonly ApiMiddleware[];
  readonly hosts: KnownHosts;
  readonly onCutOff: CutOffLog;
};

/**
 * The one place where routes are mounted. Each request, whichever router takes it, has an id, is followed in its trace,
 * is logged, gets the security headers (direct routes aside), and is answered: what goes wrong with a 500, what no router
 * knows with 404 or 405.
 */
export const httpApplication = (
  routers: readonly DocumentedRouter[],
  { newRequestId, onRequest, onCutOff, around = [], hosts, log }: HttpSurroundings,
): RequestListener => {
  const app = new Koa<ApiState, Koa.DefaultContextExtends>();
  // Errors of replies that are cut off; all others are answered and logged on their way.
  app.on('error', (err: unknown, ctx?: ApiContext) => {
    if (ctx === undefined) log.error({ err }, 'unexpected error');
    else tellCutOff(onCutOff, ctx, err);
  });
  app.use(accessLog(onRequest));
  app.use(requestId(newRequestId));
  app.use(followTrace);
  for (const middleware of around) app.use(middleware);
  app.use(unexpectedErrors(log));
  app.use(securityHeaders());
  app.use(knownHost(hosts));
  for (const { router } of routers) app.use(router.routes());
  app.use(unmatched(routers.map(({ router }) => router)));
  const handle = app.callback();
  const surroundings = { newRequestId, onRequest, log };
  return withDirectRoutes(
    routers.flatMap(({ direct }) => (direct === undefined ? [] : [direct])),
    surroundings,
    (request, response) => void handle(request, response),
  );
};
