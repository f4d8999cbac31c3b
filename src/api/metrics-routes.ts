import { Router } from '@koa/router';
import { either as E, taskEither as TE } from 'fp-ts';
import { pipe } from 'fp-ts/lib/function.js';
import type { ApiRouter } from '../http/api-context.ts';
import type { ApiDependencies } from './api-dependencies.ts';
import { readParameters } from './parameters.ts';
import { asked, type Route } from './question.ts';
import { sendAnswer, type Answer } from './reply.ts';

/** What is measured of a ledger, as text in Prometheus' format of this media type. */
export type MetricsPage = { readonly type: string; readonly text: string };

type MetricsDependencies = Pick<ApiDependencies, 'apiKeys' | 'limits' | 'log'> & {
  /** Whether nobody but this machine reaches the ledger: then no key is asked for. */
  readonly open: boolean;
  readonly page: () => Promise<MetricsPage>;
};

const PATH = '/metrics';

/** `GET /metrics`: for everybody on a loopback host, elsewhere for keys with the scope `admin` (contract.md, Asking). */
export const metricsRoutes = ({ open, page, apiKeys, limits, log }: MetricsDependencies): ApiRouter => {
  const router: ApiRouter = new Router({ sensitive: true, strict: true });
  const answer = (): Answer => async () => {
    const { type, text } = await page();
    return E.right({ type, body: text });
  };
  const forAll = (query: string): Answer => pipe(TE.fromEither(readParameters(query, [])), TE.chain(answer));
  const forAdmins: Route = { method: 'get', path: PATH, scopes: ['admin'], parameters: [], answer };
  router.get(
    PATH,
    open ? (ctx) => sendAnswer(ctx, log, forAll(ctx.querystring)) : asked({ apiKeys, limits, log }, forAdmins),
  );
  return router;
};
