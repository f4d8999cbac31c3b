import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { documentedRouter, type DocumentedRoute, type DocumentedRouter } from '../http/documented-router.ts';
import { readParameters } from '../queries/parameters/parameters.ts';
import { sendAnswer, type Answer } from './answer.ts';
import type { ApiDependencies } from './api-dependencies.ts';
import { route } from './route.ts';

/** What is measured of a ledger, as text in Prometheus' format of this media type. */
export type MetricsPage = { readonly type: string; readonly text: string };

type MetricsDependencies = Pick<ApiDependencies, 'apiKeys' | 'limits' | 'log'> & {
  /** Whether nobody but this machine reaches the ledger: then no key is asked for. */
  readonly open: boolean;
  readonly page: () => Promise<MetricsPage>;
};

const ABOUT = {
  id: 'getMetrics',
  method: 'get',
  path: '/metrics',
  tag: 'Operating',
  summary: 'What is measured, for Prometheus',
} as const;

const DESCRIPTION = "Figures in Prometheus' text format.";
const CONTENTS = [{ type: 'text/plain', schema: { type: 'string' } }] as const;

const forAdmins = (deps: MetricsDependencies, answer: Answer<never>): DocumentedRoute =>
  route(deps, {
    ...ABOUT,
    scopes: ['admin'],
    parameters: {},
    answers: { description: DESCRIPTION, resource: null, others: CONTENTS },
    problems: [],
    answer: () => answer,
  });

const forAll = ({ log }: MetricsDependencies, answer: Answer<never>): DocumentedRoute => ({
  operation: {
    ...ABOUT,
    scopes: [],
    parameters: [],
    answers: [{ status: 200, description: DESCRIPTION, headers: {}, contents: CONTENTS }],
    problems: ['invalid-parameter', 'internal-error'],
  },
  handle: (ctx) => {
    const asked = readParameters([...new URLSearchParams(ctx.querystring)], {}, () => true);
    const answered = pipe(
      TE.fromEither(asked),
      TE.chain(() => answer),
    );
    return sendAnswer(ctx, log, null, answered);
  },
});

/**
 * `GET /metrics`: for everybody on a loopback host, elsewhere for keys with the scope `admin` (docs/spec/http.md,
 * Health and metrics).
 */
export const metricsRoutes = (deps: MetricsDependencies): DocumentedRouter => {
  const answer: Answer<never> = async () => {
    const { type, text } = await deps.page();
    return E.right({ type, body: text });
  };
  return documentedRouter([deps.open ? forAll(deps, answer) : forAdmins(deps, answer)]);
};
