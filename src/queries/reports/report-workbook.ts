import { sha256 } from '../../domain/sha256.ts';
import { aboutSheet, type AboutLine } from '../tables/workbook/about-sheet.ts';
import { wholeWorkbook } from '../tables/workbook/whole-workbook.ts';
import type { Workbook } from '../tables/workbook/workbook-pieces.ts';
import { ReportResource } from './report-resource.ts';
import { figuresSheet, reportTitle, tokensSheet } from './report-sheets.ts';

/** The digest of the report as JSON, as `GET /v1/reports/FLOW` answers it. */
export const digestOf = (report: ReportResource): string => sha256(JSON.stringify(ReportResource.encode(report)));

/** What was asked for, and as of when. */
export const aboutQuestion = (
  report: Omit<ReportResource, 'flow' | 'rows' | 'totals'>,
  currency: string | null,
): readonly AboutLine[] => [
  ...(currency === null ? [] : [['Currency', `${currency} alone`] as const]),
  ['By the day that orders were', report.basis],
  ['From day', report.from ?? 'the first'],
  ['To day', report.to ?? 'the last'],
  ['Grouped by', [...new Set([...report.groupBy, 'currency'])].join(', ')],
  ['Time zone of days', report.timeZone],
  ['As of position of the log', report.asOf.position ?? 'before the first event'],
  ['Recorded at (UTC)', report.asOf.at ?? '–'],
];

/** What the figures of every report mean. */
export const ABOUT_FIGURES: readonly AboutLine[] = [
  ['Order value', 'What orders are worth, whatever became of them: the sum of the columns behind it.'],
  ['Currencies', 'Amounts of different currencies or tokens are never added.'],
  ['Numbers', 'A spreadsheet keeps 15 digits of a number: an amount with more is a text with all of them.'],
];

const aboutReport = (report: ReportResource, currency: string | null): readonly AboutLine[] => [
  ...aboutQuestion(report, currency),
  ['SHA-256 of the report', digestOf(report)],
  ['How to check it', 'It is the digest of the same report as JSON, as of the same position.'],
  ...ABOUT_FIGURES,
];

/**
 * A report as a workbook for people: its rows, what they come to, the tokens that were moved, and what it is of. It was
 * changed when the last of its events was recorded, not when it was written: the same report is the same bytes.
 *
 * @param currency the one that the report was asked for; null: all
 */
export const reportWorkbook = (report: ReportResource, currency: string | null = null): Promise<Buffer> => {
  const title = reportTitle(report);
  const totals: ReportResource = { ...report, groupBy: [], rows: report.totals };
  const workbook: Workbook<never> = {
    title,
    modified: new Date(report.asOf.at ?? 0),
    sheets: [
      figuresSheet('Report', report),
      figuresSheet('Totals', totals),
      tokensSheet('Tokens', report),
      aboutSheet(title, () => aboutReport(report, currency)),
    ],
  };
  return wholeWorkbook(workbook);
};
