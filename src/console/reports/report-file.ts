import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Flow } from '../../domain/flow.ts';
import { oneOf, parameter } from '../../queries/parameters/parameters.ts';
import { bothFlows, BOTH_FLOWS_PARAMETERS, parseBothFlows } from '../../queries/reports/both-flows.ts';
import { parseReport, REPORT_PARAMETERS, report } from '../../queries/reports/report.ts';
import { bothFlowsFile, reportFile } from '../../replies/report-reply.ts';
import type { ConsoleRoute } from '../console-question.ts';
import { filledParameters } from '../filled-parameters.ts';
import type { LargePageDependencies } from '../large-page-dependencies.ts';
import { BOTH_FLOWS_PATH } from '../links.ts';
import { sent } from '../page.ts';

const FORMATS = ['csv', 'xlsx'] as const;

const PARAMETERS = {
  ...REPORT_PARAMETERS,
  format: parameter('The form of the file.', oneOf(FORMATS)),
} as const;

/** A report as a file. */
export const reportFilePage = (deps: LargePageDependencies, flow: Flow): ConsoleRoute => ({
  method: 'get',
  path: `/console/files/reports/${flow}`,
  scopes: ['reports:read'],
  answer: (asked) =>
    pipe(
      TE.fromEither(filledParameters(asked, PARAMETERS)),
      TE.chain(({ query }) =>
        pipe(
          parseReport(deps, flow)(query),
          TE.chain(report(deps, asked.personal)),
          TE.chainW((forms) => reportFile(query.format ?? 'csv', forms)),
        ),
      ),
      TE.map(sent),
    ),
});

/** Both flows as one workbook. */
export const bothFlowsPage = (deps: LargePageDependencies): ConsoleRoute => ({
  method: 'get',
  path: BOTH_FLOWS_PATH,
  scopes: ['reports:read'],
  answer: (asked) =>
    pipe(
      TE.fromEither(filledParameters(asked, BOTH_FLOWS_PARAMETERS)),
      TE.chain(({ query }) => parseBothFlows(deps)(query)),
      TE.chain(bothFlows(deps, asked.personal)),
      TE.map((found) => sent(bothFlowsFile(found))),
    ),
});
