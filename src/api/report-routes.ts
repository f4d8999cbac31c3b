import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { FLOWS, type Flow } from '../domain/flow.ts';
import type { TooManyRows } from '../queries/failure/query-failure.ts';
import { bothFlows, BOTH_FLOWS_PARAMETERS, parseBothFlows } from '../queries/reports/both-flows.ts';
import { ReportResource } from '../queries/reports/report-resource.ts';
import {
  parseReport,
  REPORT_PARAMETERS,
  report,
  type ReportFormat,
  type ReportForms,
} from '../queries/reports/report.ts';
import type { QueryDependencies } from '../queries/query-dependencies.ts';
import { ATTACHED } from '../replies/attached.ts';
import { CSV, XLSX } from '../replies/media-types.ts';
import type { Reply } from '../replies/reply.ts';
import { bothFlowsFile, reportFile, VARY_BY_ACCEPT } from '../replies/report-reply.ts';
import type { RouteDependencies } from './described-route.ts';
import type { Question } from './question.ts';
import { route, type ApiRoute } from './route.ts';

const accepted = ({ prefers }: Pick<Question<string, typeof REPORT_PARAMETERS>, 'prefers'>): ReportFormat => {
  const best = prefers();
  if (best === XLSX.type) return 'xlsx';
  return best === CSV.type ? 'csv' : 'json';
};

const replyIn = (format: ReportFormat, forms: ReportForms): TE.TaskEither<TooManyRows, Reply<ReportResource>> =>
  format === 'json' ? TE.right({ headers: VARY_BY_ACCEPT, body: forms.json() }) : reportFile(format, forms);

const ABOUT: Readonly<Record<Flow, { readonly id: string; readonly summary: string }>> = {
  onramp: { id: 'getOnRampReport', summary: 'Sums over on-ramp orders' },
  offramp: { id: 'getOffRampReport', summary: 'Sums over off-ramp orders' },
};

const bothFlowsRoute = (deps: Deps): ApiRoute =>
  route(deps, {
    id: 'getReportWorkbook',
    large: true,
    method: 'get',
    path: '/v1/reports/workbook',
    tag: 'Reports',
    summary: 'Both flows as one workbook',
    description: 'The reports of both flows, of the same question and the same position, a sheet for each.',
    scopes: ['reports:read'],
    parameters: BOTH_FLOWS_PARAMETERS,
    answers: {
      description: 'The workbook.',
      resource: null,
      others: [{ type: XLSX.type, schema: {} }],
      headers: { 'Content-Disposition': ATTACHED },
    },
    problems: ['behind', 'store-unavailable'],
    answer: ({ query, personal }) =>
      pipe(parseBothFlows(deps)(query), TE.chain(bothFlows(deps, personal)), TE.map(bothFlowsFile)),
  });

type Deps = RouteDependencies & Pick<QueryDependencies, 'store' | 'readModels' | 'calendar' | 'now'>;

type ReportAsked = Pick<Question<string, typeof REPORT_PARAMETERS>, 'query' | 'prefers'>;

/** `format` decides, else what the caller accepts. */
const formatOf = ({ query, prefers }: ReportAsked): ReportFormat => query.format ?? accepted({ prefers });

/** The report of a flow, as JSON, CSV or a workbook. */
const reportRoute = (deps: Deps, flow: Flow): ApiRoute =>
  route(deps, {
    ...ABOUT[flow],
    method: 'get',
    path: `/v1/reports/${flow}`,
    tag: 'Reports',
    scopes: ['reports:read'],
    parameters: REPORT_PARAMETERS,
    answers: {
      description:
        'The report; as CSV a header with the JSON paths and a line for each row, as a workbook the same with typed cells, and a sheet each for the totals and what it is of.',
      resource: ReportResource,
      others: [
        { type: CSV.type, schema: { type: 'string' } },
        { type: XLSX.type, schema: {} },
      ],
      headers: {
        Vary: { description: 'The form may depend on `Accept`.', schema: { const: 'Accept' } },
        'Content-Disposition': { ...ATTACHED, required: false },
      },
    },
    problems: ['behind', 'store-unavailable'],
    large: true,
    answer: ({ query, personal, prefers }) =>
      pipe(
        parseReport(deps, flow)(query),
        TE.chain(report(deps, personal)),
        TE.chainW((forms) => replyIn(formatOf({ query, prefers }), forms)),
      ),
  });

/** The report of each flow, and both flows as a workbook. */
export const reportRoutes = (deps: Deps): readonly ApiRoute[] => [
  ...FLOWS.map((flow) => reportRoute(deps, flow)),
  bothFlowsRoute(deps),
];
