import { taskEither as TE } from 'fp-ts';
import { pipe } from 'fp-ts/lib/function.js';
import { FLOWS } from '../domain/flow.ts';
import type { ApiDependencies } from './api-dependencies.ts';
import type { Question, Route } from './question.ts';
import type { Reply } from './reply.ts';
import { REPORT_PARAMETERS, report, reportFormat, type ReportFormat, type ReportForms } from './report.ts';

const CSV = 'text/csv';

const accepted = ({ prefers }: Question): ReportFormat => (prefers(['application/json', CSV]) === CSV ? 'csv' : 'json');

const replyIn = (format: ReportFormat, { json, csv, name }: ReportForms): Reply =>
  format === 'json'
    ? { headers: { Vary: 'Accept' }, body: json() }
    : {
        type: `${CSV}; charset=utf-8; header=present`,
        headers: { Vary: 'Accept', 'Content-Disposition': `attachment; filename="${name}.csv"` },
        body: csv(),
      };

/** The report of each flow, as JSON or CSV: `format` decides, else what the caller accepts. */
export const reportRoutes = (deps: ApiDependencies): readonly Route[] =>
  FLOWS.map((flow) => ({
    method: 'get',
    path: `/v1/reports/${flow}`,
    scopes: ['reports:read'],
    parameters: REPORT_PARAMETERS,
    answer: (question) =>
      pipe(
        TE.fromEither(reportFormat(question.parameters)),
        TE.bindTo('format'),
        TE.bind('forms', () => report(deps, flow)(question.parameters, question.personal)),
        TE.map(({ format, forms }) => replyIn(format ?? accepted(question), forms)),
      ),
  }));
