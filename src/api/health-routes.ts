import { Router } from '@koa/router';
import { taskEither as TE } from 'fp-ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { ApiRouter } from '../http/api-context.ts';
import type { ApiLog } from '../http/api-log.ts';
import { RETRY_AFTER_SECONDS, type Problem } from '../http/problem.ts';
import { sendAnswer, type Answer } from './reply.ts';

const notReady = (cause: string): Problem => ({
  status: 503,
  code: 'not-ready',
  title: 'Not ready',
  detail: 'a delivery could not be accepted now',
  retryAfterSeconds: RETRY_AFTER_SECONDS,
  cause,
});

const readinessOf = (store: Pick<EventStore, 'readiness'>): Answer => {
  const readiness = store.readiness();
  return readiness.ready ? TE.right({ body: { status: 'ready' } }) : TE.left(notReady(readiness.detail));
};

/** `/livez`: the process lives. `/readyz`: a delivery could be accepted now (contract.md, Asking). Open to everybody. */
export const healthRoutes = (deps: {
  readonly store: Pick<EventStore, 'readiness'>;
  readonly log: ApiLog;
}): ApiRouter => {
  const router: ApiRouter = new Router({ sensitive: true, strict: true });
  router.get('/livez', (ctx) => sendAnswer(ctx, deps.log, TE.right({ body: { status: 'alive' } })));
  router.get('/readyz', (ctx) => sendAnswer(ctx, deps.log, readinessOf(deps.store)));
  return router;
};
