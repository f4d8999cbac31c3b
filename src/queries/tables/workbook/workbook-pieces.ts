import * as E from 'fp-ts/lib/Either.js';
import { STYLES_PART } from './cell-styles.ts';
import { RowWriter, sheetHead, sheetTail } from './sheet-xml.ts';
import type { Sheet } from './sheet.ts';
import {
  contentTypes,
  FILE_RELATIONS,
  PART_TYPES,
  properties,
  workbookPart,
  workbookRelations,
  type WrittenSheet,
} from './workbook-parts.ts';
import type { ZipStream } from './zip-stream.ts';

/** A workbook: its sheets in their order, and what it says of itself. */
export type Workbook<Failure> = {
  readonly title: string;
  /** Not the clock's: the same workbook is the same bytes. */
  readonly modified: Date;
  readonly sheets: readonly Sheet<Failure>[];
};

/** As much as is packed and handed on at once: who hands pieces on is held by each of them for as long as it is large. */
const PIECE_LENGTH = 256 * 1_024;

type Pieces<Failure> = AsyncGenerator<E.Either<Failure, Uint8Array>, void, undefined>;

const sheetPath = (number: number): string => `xl/worksheets/sheet${number}.xml`;

class WorkbookWriter<Failure> {
  readonly #zip: ZipStream;
  readonly #workbook: Workbook<Failure>;
  readonly #written: WrittenSheet[] = [];

  constructor(zip: ZipStream, workbook: Workbook<Failure>) {
    this.#zip = zip;
    this.#workbook = workbook;
  }

  async *pieces(): Pieces<Failure> {
    const { sheets, title, modified } = this.#workbook;
    const paths = sheets.map((_sheet, i) => sheetPath(i + 1));
    this.#part('[Content_Types].xml', contentTypes(paths));
    this.#part('_rels/.rels', FILE_RELATIONS);
    this.#part('xl/_rels/workbook.xml.rels', workbookRelations(paths));
    this.#part(PART_TYPES.styles.path, STYLES_PART);
    this.#part(PART_TYPES.properties.path, properties(title, modified));
    for (const sheet of sheets) {
      for await (const piece of this.#sheet(sheet)) {
        yield piece;
        if (E.isLeft(piece)) return;
      }
    }
    this.#part(PART_TYPES.workbook.path, workbookPart(this.#written));
    this.#zip.end();
    yield E.right(this.#zip.take());
  }

  #part(path: string, xml: string): void {
    this.#zip.begin(path);
    this.#zip.push(xml);
  }

  async *#sheet(sheet: Sheet<Failure>): Pieces<Failure> {
    const writer = new RowWriter(sheet.columns);
    this.#zip.begin(sheetPath(this.#written.length + 1));
    const headings = sheet.columns.map(({ heading }) => heading);
    let xml = sheetHead(sheet, this.#written.length === 0) + writer.row('heading', headings);
    let body = writer.rows;
    for await (const batch of sheet.rows()) {
      if (E.isLeft(batch)) {
        yield batch;
        return;
      }
      for (const { cells, isTotal = false } of batch.right) {
        xml += writer.row(isTotal ? 'total' : 'body', cells);
        if (!isTotal) body = writer.rows;
        if (xml.length < PIECE_LENGTH) continue;
        this.#zip.push(xml);
        xml = '';
        yield E.right(this.#zip.take());
      }
    }
    this.#zip.push(xml + sheetTail(sheet, { body, rows: writer.rows }));
    this.#written.push({ sheet, body, rows: writer.rows });
  }
}

/**
 * A workbook as the bytes of an XLSX file, made as fast as they are taken: what is held of it does not grow with its rows.
 * What a sheet fails with is the last, and the file is then worth nothing.
 *
 * @throws RangeError where it gets larger than 4 GiB
 */
export async function* workbookPieces<Failure>(workbook: Workbook<Failure>): Pieces<Failure> {
  // Loaded with the first workbook.
  const { ZipStream } = await import('./zip-stream.ts');
  yield* new WorkbookWriter(new ZipStream(), workbook).pieces();
}
