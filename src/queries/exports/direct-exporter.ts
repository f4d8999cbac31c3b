import { createHash } from 'node:crypto';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Checkpoint, ReadModelsUnavailable } from '../../read-models/read-models.ts';
import type { Snapshot } from '../../read-models/snapshot.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import { exportColumns } from './export-columns.ts';
import type { ExportManifest } from './export-manifest.ts';
import type { ExportRequest } from './export-request.ts';
import { exportRows, type RowBatches, type RowSources } from './export-rows.ts';
import { ExportSums } from './export-sums.ts';
import { exportTable, type Pieces } from './export-table.ts';
import { exportWorkbook } from './export-workbook.ts';
import type { OpenExport } from './exporter.ts';
import { fitsInSheet } from './fits-in-sheet.ts';
import { writtenManifest, type WrittenManifest } from './written-manifest.ts';

type Deps = Omit<RowSources, 'snapshot'> & {
  readonly openSnapshot: () => TE.TaskEither<ReadModelsUnavailable, Snapshot>;
};

/** An export of this thread, whose manifest is there as it was written and as figures. */
export type OpenDirectExport = OpenExport & {
  /** What the file came to; null before its end. */
  readonly figures: () => ExportManifest | null;
};

class DirectExport implements OpenDirectExport {
  readonly position: OpenExport['position'];
  readonly pieces: Pieces;
  readonly #snapshot: Snapshot;
  readonly #request: ExportRequest;
  readonly #checkpoint: Checkpoint | null;
  readonly #sums = new ExportSums();
  #figures: ExportManifest | null = null;
  #closed = false;

  constructor(sources: RowSources, request: ExportRequest) {
    this.#snapshot = sources.snapshot;
    this.#request = request;
    const isOfPast = request.kind === 'orders' && request.asOf !== undefined;
    this.#checkpoint = isOfPast ? request.asOf.checkpoint : sources.snapshot.progress().checkpoint;
    this.position = this.#checkpoint?.position ?? null;
    this.pieces = this.#digested(this.#file(sources, request));
  }

  readonly figures = (): ExportManifest | null => this.#figures;

  readonly manifest = (): WrittenManifest | null => (this.#figures === null ? null : writtenManifest(this.#figures));

  readonly close = async (): Promise<void> => {
    if (this.#closed) return;
    this.#closed = true;
    await this.pieces.return();
    await this.#snapshot.close();
  };

  #file(sources: RowSources, request: ExportRequest): Pieces {
    const { format } = request;
    if (format !== 'xlsx') {
      const counted = this.#counted(exportRows(sources, request, this.#sums));
      return exportTable(format, exportColumns(request), counted);
    }
    const moment = { position: this.position, recordedAt: this.#checkpoint?.at ?? null };
    const counted = <Row>(batches: RowBatches<Row>) => this.#counted(batches);
    return exportWorkbook(sources, request, moment, { sums: this.#sums, counted });
  }

  async *#counted<Row>(batches: RowBatches<Row>): RowBatches<Row> {
    for await (const batch of batches) {
      if (E.isRight(batch)) this.#sums.rows += batch.right.length;
      yield batch;
    }
  }

  async *#digested(pieces: Pieces): Pieces {
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const piece of pieces) {
      if (E.isLeft(piece)) {
        yield piece;
        return;
      }
      if (piece.right.length === 0) continue;
      hash.update(piece.right);
      bytes += piece.right.length;
      yield piece;
    }
    this.#figures = {
      request: this.#request,
      position: this.position,
      recordedAt: this.#checkpoint?.at ?? null,
      rows: this.#sums.rows,
      bytes,
      sha256: hash.digest('hex'),
      sums: this.#sums.sums,
    };
  }
}

const opened = (
  deps: Deps,
  request: ExportRequest,
  snapshot: Snapshot,
): TE.TaskEither<QueryFailure, OpenDirectExport> =>
  pipe(
    fitsInSheet(snapshot, request),
    TE.map(() => new DirectExport({ ...deps, snapshot }, request)),
    TE.orElse((failure) => async () => {
      await snapshot.close();
      return E.left(failure);
    }),
  );

/** A snapshot that may be closed again: rows that don't need it to their end close it before. */
const closedOnce = (snapshot: Snapshot): Snapshot => {
  let closing: Promise<void> | null = null;
  return { ...snapshot, close: () => (closing ??= snapshot.close()) };
};

/** Makes exports in the thread that asks. */
export const directExporter =
  (deps: Deps) =>
  (request: ExportRequest): TE.TaskEither<QueryFailure, OpenDirectExport> =>
    pipe(
      deps.openSnapshot(),
      TE.chainW((snapshot) => opened(deps, request, closedOnce(snapshot))),
    );
