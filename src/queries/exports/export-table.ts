import * as E from 'fp-ts/lib/Either.js';
import type { JsonObject } from '../../domain/json.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import { csvLines } from '../tables/csv.ts';
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

/** Rows as a file of a format, made as fast as it is taken. */
export const exportTable = (
  format: Exclude<ExportFormat, 'xlsx'>,
  columns: readonly ExportColumn[],
  batches: RowBatches,
): Pieces => (format === 'ndjson' ? ndjson(batches) : csv(columns, batches));
