import * as TE from 'fp-ts/lib/TaskEither.js';
import type { BothFlows } from '../queries/reports/both-flows.ts';
import type { TooManyRows } from '../queries/failure/query-failure.ts';
import type { ReportFormat, ReportForms } from '../queries/reports/report.ts';
import { attachedAs } from './attached.ts';
import { CSV, XLSX } from './media-types.ts';
import type { Reply } from './reply.ts';

/** The form of a report may depend on what the caller accepts. */
export const VARY_BY_ACCEPT = { Vary: 'Accept' } as const;

/** A report as a file. */
export const reportFile = (
  format: Exclude<ReportFormat, 'json'>,
  { csv, xlsx, name }: ReportForms,
): TE.TaskEither<TooManyRows, Reply<never>> => {
  const headers = { ...VARY_BY_ACCEPT, ...attachedAs(`${name}.${format}`) };
  if (format === 'csv') return TE.right({ type: CSV.sent, headers, body: csv() });
  return TE.map((body: Buffer) => ({ type: XLSX.sent, headers, body }))(xlsx);
};

/** Both flows as one file. */
export const bothFlowsFile = ({ xlsx, name }: BothFlows): Reply<never> => ({
  type: XLSX.sent,
  headers: attachedAs(`${name}.xlsx`),
  body: xlsx,
});
