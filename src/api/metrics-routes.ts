import * as E from 'fp-ts/lib/Either.js';
import { documentedRouter, type DocumentedRoute, type DocumentedRouter } from '../http/documented-router.ts';
import { isFromThisMachine } from '../http/from-this-machine.ts';
import { sendAnswer, type Answer } from './answer.ts';
import type { ApiDependencies } from './api-dependencies.ts';
import { route } from './route.ts';
import { withoutParameters } from './without-parameters.ts';

/** What is measured of a ledger, as text in Prometheus' format of this media type. */
export type MetricsPage = { readonly type: string; readonly text: string };

type MetricsDependencies = Pick<ApiDependencies, 'apiKeys' | 'limits' | 'log'> & {
  /** Whether the ledger listens where this machine alone reaches it: then no key is asked for of what comes from here. */
  readonly open: boolean;
  /** Whether a host name is of this machine only. */
  readonly isLoopback: (hostname: string) => boolean;
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

const forThisMachine = (deps: MetricsDependencies, answer: Answer<never>): DocumentedRoute => ({
  operation: {
    ...ABOUT,
    description: 'What a proxy passes on needs a key with the scope `admin`.',
    scopes: [],
    parameters: [],
    answers: [{ status: 200, description: DESCRIPTION, headers: {}, contents: CONTENTS }],
    problems: ['invalid-parameter', 'unauthorized', 'forbidden', 'rate-limited', 'overloaded', 'internal-error'],
  },
  handle: async (ctx, next) => {
    if (!isFromThisMachine(ctx, deps.isLoopback)) {
      await forAdmins(deps, answer).handle(ctx, next);
      return;
    }
    await sendAnswer(ctx, deps.log, null, withoutParameters(ctx, answer));
  },
});

/**
 * `GET /metrics`: for everybody on this machine where the ledger listens on loopback, else for keys with the scope `admin` (docs/spec/http.md,
 * Health and metrics).
 */
export const metricsRoutes = (deps: MetricsDependencies): DocumentedRouter => {
  const answer: Answer<never> = async () => {
    const { type, text } = await deps.page();
    return E.right({ type, body: text });
  };
  return documentedRouter([deps.open ? forThisMachine(deps, answer) : forAdmins(deps, answer)]);
};
