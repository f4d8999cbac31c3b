import type { CellValue } from 'hucre/xlsx';
import type { GroupKey } from '../../../projections/report/index.ts';
import type { JsonObject } from '../../domain/json.ts';
import { jsonLeaves } from '../tables/json-leaves.ts';
import { numberCell, textCell } from '../tables/xlsx-cell.ts';
import { reportTable } from './report-csv.ts';

/** Columns that are no counts or amounts, whatever digits they hold. */
const TEXT = /^(?:day|month|token|currency|tokens\.\d+\.(?:symbol|address))$/;

const typed = (column: string | undefined, text: string): CellValue => {
  if (text === '') return null;
  return column === undefined || TEXT.test(column) ? textCell(text) : numberCell(text);
};

const sheet = (name: string, [header = [], ...lines]: readonly (readonly string[])[]) => ({
  name,
  rows: [header.map(textCell), ...lines.map((line) => line.map((text, i) => typed(header[i], text)))],
  freezePane: { rows: 1 },
});

/** What a report says of itself: its filters, its zone and its position. */
const about = ({ rows: _rows, totals: _totals, ...head }: JsonObject) => ({
  name: 'about',
  rows: jsonLeaves(head).map(([path, text]): CellValue[] => [textCell(path), textCell(text)]),
});

/**
 * A report as a workbook: its rows and its totals with the columns of its CSV, and what it is of. It was changed when the
 * last of its events was recorded, not when it was written: the same report is the same bytes.
 */
export const reportXlsx = async (
  groupBy: readonly GroupKey[],
  report: JsonObject & {
    readonly asOf: { readonly at: string | null };
    readonly rows: readonly JsonObject[];
    readonly totals: readonly JsonObject[];
  },
): Promise<Buffer> => {
  const sheets = [
    sheet('report', reportTable(groupBy, report.rows)),
    sheet('totals', reportTable([], report.totals)),
    about(report),
  ];
  const properties = { modified: new Date(report.asOf.at ?? 0) };
  // Loaded with the first workbook.
  const { writeXlsx } = await import('hucre/xlsx');
  return Buffer.from(await writeXlsx({ sheets, properties, stringMode: 'inline' }));
};
