import * as E from 'fp-ts/lib/Either.js';
import type { JsonObject } from '../../domain/json.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import { csvLines } from '../tables/csv.ts';
import { sheetColumn, TIME } from '../tables/sheet-column.ts';
import { numberCell, textCell } from '../tables/xlsx-cell.ts';
import { cellTextOf, type ExportColumn } from './export-column.ts';
import type { ExportFormat } from './export-request.ts';
import type { RowBatches } from './export-rows.ts';

/** Pieces of a file in order; a Left is the last, and the file is then worth nothing. */
export type Pieces = AsyncGenerator<E.Either<QueryFailure, Uint8Array>, void, undefined>;

/** As much as is written to a reader at once: who hands pieces on is held by each of them for as long as it is large. */
const PIECE_LENGTH = 256 * 1_024;
/** Rows that are written together; one may have half a megabyte. */
const TOGETHER = 8;

const eachBatch = (write: (rows: readonly JsonObject[]) => string) =>
  async function* (batches: RowBatches): Pieces {
    for await (const batch of batches) {
      if (E.isLeft(batch)) {
        yield batch;
        return;
      }
      let text = '';
      for (let from = 0; from < batch.right.length; from += TOGETHER) {
        text += write(batch.right.slice(from, from + TOGETHER));
        if (text.length < PIECE_LENGTH) continue;
        yield E.right(Buffer.from(text));
        text = '';
      }
      if (text !== '') yield E.right(Buffer.from(text));
    }
  };

/** NDJSON: the resource of each row, as the list gives it, and a line feed. */
const ndjson = eachBatch((rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join(''));

async function* csv(columns: readonly ExportColumn[], batches: RowBatches): Pieces {
  yield E.right(Buffer.from(csvLines([columns.map(({ name }) => name)])));
  yield* eachBatch((rows) => csvLines(rows.map((row) => columns.map(({ valueIn }) => cellTextOf(valueIn(row))))))(
    batches,
  );
}

/** What a spreadsheet counts as a moment to the millisecond. */
const DATED = /^(?:19|[2-9]\d)\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const typed = (column: ExportColumn, row: JsonObject): string | number | boolean | Date | null => {
  const value = column.valueIn(row);
  if (typeof value === 'boolean') return value;
  const text = cellTextOf(value);
  if (text === '') return null;
  if (DATED.test(text) && sheetColumn(column.name).numFmt === TIME) return new Date(text);
  return column.isNumber ? numberCell(text) : textCell(text);
};

async function* xlsx(columns: readonly ExportColumn[], batches: RowBatches): Pieces {
  const shown = columns.map(({ name }) => sheetColumn(name));
  let failed: E.Either<QueryFailure, never> | null = null;
  const failure = (): typeof failed => failed;
  const rows = async function* () {
    yield shown.map(({ header }) => textCell(header));
    for await (const batch of batches) {
      if (E.isLeft(batch)) {
        failed = batch;
        return;
      }
      for (const row of batch.right) yield columns.map((column) => typed(column, row));
    }
  };
  try {
    // Loaded with the first workbook.
    const { writeXlsxStream } = await import('hucre/xlsx');
    for await (const piece of writeXlsxStream(rows(), {
      name: 'orders',
      // Without `header`: the first row is that already.
      columns: shown.map(({ header: _written, ...format }) => format),
      freezePane: { rows: 1, columns: 1 },
    })) {
      // For the writer the rows have just ended: it would finish the workbook as if it were whole.
      const failedMeanwhile = failure();
      if (failedMeanwhile !== null) {
        yield failedMeanwhile;
        return;
      }
      yield E.right(piece);
    }
  } catch (error) {
    yield E.left({ _tag: 'WorkbookUnwritable', detail: String(error) });
  }
}

/** Rows as a file of a format, made as fast as it is taken. */
export const exportTable = (format: ExportFormat, columns: readonly ExportColumn[], batches: RowBatches): Pieces => {
  if (format === 'ndjson') return ndjson(batches);
  return format === 'csv' ? csv(columns, batches) : xlsx(columns, batches);
};
