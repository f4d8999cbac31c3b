import { aboutSheet, type AboutLine } from '../tables/workbook/about-sheet.ts';
import type { Sheet } from '../tables/workbook/sheet.ts';
import { wholeWorkbook } from '../tables/workbook/whole-workbook.ts';
import { daysWords } from '../words/days-words.ts';
import { FLOW_WORDS } from '../words/flow-words.ts';
import type { ReportResource } from './report-resource.ts';
import { figuresSheet, tokensSheet } from './report-sheets.ts';
import { ABOUT_FIGURES, aboutQuestion, digestOf } from './report-workbook.ts';

const aboutBoth = (onRamp: ReportResource, offRamp: ReportResource, currency: string | null): readonly AboutLine[] => [
  ...aboutQuestion(onRamp, currency),
  ['On-ramp', 'Orders of customers who bought tokens with money.'],
  ['Off-ramp', 'Orders of customers who sold tokens for money.'],
  ['SHA-256, on-ramp report', digestOf(onRamp)],
  ['SHA-256, off-ramp report', digestOf(offRamp)],
  ['How to check them', 'They are the digests of the same reports as JSON, as of the same position.'],
  ...ABOUT_FIGURES,
];

const sheetsOf = (report: ReportResource): readonly Sheet<never>[] => {
  const name = FLOW_WORDS[report.flow];
  return [figuresSheet(name, report), tokensSheet(`${name} tokens`, report)];
};

/** Both flows in one workbook, of the same question and the same position: what an accountant gets of a month. */
export const bothFlowsWorkbook = (
  onRamp: ReportResource,
  offRamp: ReportResource,
  currency: string | null,
): Promise<Buffer> => {
  const { basis, from, to, timeZone, asOf } = onRamp;
  const title = `On-ramp and off-ramp, ${basis} ${daysWords({ from, to })}, ${timeZone}`;
  return wholeWorkbook({
    title,
    modified: new Date(asOf.at ?? 0),
    sheets: [...[onRamp, offRamp].flatMap(sheetsOf), aboutSheet(title, () => aboutBoth(onRamp, offRamp, currency))],
  });
};
