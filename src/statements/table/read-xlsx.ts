import type { Cell, CellValue, colToLetter, parseCellRef, readXlsx, streamXlsxRows } from 'hucre/xlsx';
import { parseBusinessDay } from '../../domain/business-day.ts';
import { parseDecimal } from '../../domain/decimal.ts';
import { isPlain } from '../read-text.ts';
import { isUnreadable, unreadable, type StatementUnreadable } from '../unreadable.ts';
import { formulaAreas } from './formula-areas.ts';
import { isoDay } from './iso-day.ts';
import { mayNameCurrency, numberCurrencies } from './number-currency.ts';
import { mayMark, numberMark } from './number-mark.ts';
import { textCell, type TableCell, type TableRow } from './table-row.ts';
import { mayFill, zeroFilled } from './zero-filled.ts';
import { checkZip } from './zip-check.ts';

const isFormula = (cell: Cell | undefined): boolean =>
  cell !== undefined &&
  (cell.type === 'formula' || cell.formula !== undefined || cell.formulaSharedIndex !== undefined);

const HIDDEN = 'the first sheet is hidden: what people see is another; delete it, or save the visible one alone';

const isFilled = (value: CellValue): boolean => value !== null && value !== '';

/** Spreadsheets reckon with so many digits; what a number has behind them is what its binary form adds, 0.30000000000000004. */
const DIGITS = 15;
const FIRST_ROUNDED = 10 ** DIGITS;

const numberOf = (value: number, format: string | undefined): TableCell => {
  const rounded = Math.abs(value) >= FIRST_ROUNDED;
  const text = String(rounded ? value : Number(value.toPrecision(DIGITS)));
  return {
    ...textCell(format === undefined ? text : zeroFilled(text, format)),
    number: rounded ? null : parseDecimal(text),
    rounded,
    mark: format === undefined ? null : numberMark(format, value < 0),
    currencies: format === undefined ? [] : numberCurrencies(format),
  };
};

const cellOf = (value: CellValue, formula: boolean, format: string | undefined): TableCell => {
  if (value === null) return { ...textCell(''), formula };
  if (value instanceof Date) {
    const text = Number.isNaN(value.getTime()) ? '' : value.toISOString().slice(0, 10);
    return { ...textCell(text), day: parseBusinessDay(text), formula };
  }
  if (typeof value === 'number') return { ...numberOf(value, format), formula };
  const text = String(value);
  // hucre tells a date that a cell's type says to be one (`t="d"`) from no other text.
  return { ...textCell(text), isoDay: isoDay(text), formula };
};

/**
 * A row is as wide as its last cell: some KB of cells that stand in the last column of a sheet would be gigabytes of
 * empty ones. Tables of banks have some dozen columns; these are a thousand.
 */
const LOOKED_AT = 'A1:ALL1048576';
const COLUMNS = 1_000;
const ROWS = 1_048_576;

/** Formats of numbers stand at the beginning of the styles. */
const LOOKED_AT_STYLES = 1_048_576;

const isOfStyles = (part: string): boolean => part.toLowerCase().includes('styles');

/** Cells, empty ones too, that the rows of a sheet may have behind those columns: to make them takes two seconds. */
const MOST_BEYOND = 20_000_000;

/** hucre's readers, which are loaded when the first workbook comes. */
type Hucre = {
  readonly readXlsx: typeof readXlsx;
  readonly streamXlsxRows: typeof streamXlsxRows;
  readonly colToLetter: typeof colToLetter;
  readonly parseCellRef: typeof parseCellRef;
};

/** What would be lost of the rows, and what stands behind the columns that are looked at, row by row, so that no more than some rows are that wide at a time. */
const wrongBeyond = async (hucre: Hucre, bytes: Uint8Array): Promise<StatementUnreadable | null> => {
  let beyond = 0;
  let before = -1;
  for await (const { index, values } of hucre.streamXlsxRows(bytes, { sheet: 0 })) {
    // Of two rows of one number the first would be lost, and of one behind the last that a sheet has, all of it.
    if (index <= before || index >= ROWS)
      return unreadable(
        Math.max(1, index + 1),
        'row',
        'its number is that of a row before it, out of order, or more than a sheet has',
      );
    before = index;
    const column = values.findIndex((value, at) => at >= COLUMNS && isFilled(value));
    if (column !== -1)
      return unreadable(index + 1, hucre.colToLetter(column), `only the first ${String(COLUMNS)} columns are read`);
    beyond += Math.max(0, values.length - COLUMNS);
    if (beyond > MOST_BEYOND)
      return unreadable(index + 1, 'size', 'too many cells stand behind the columns that are read');
  }
  return null;
};

/** Bytes in memory of their own: the decompression that hucre streams by refuses what threads share, where large files lie. */
const unshared = (bytes: Uint8Array): Uint8Array =>
  bytes.buffer instanceof SharedArrayBuffer ? Uint8Array.from(bytes) : bytes;

/**
 * Hands over the rows of a workbook's first sheet from its header on, without empty ones; null where it was read to its end. The archive is unpacked within bounds before
 * anything of it is read.
 */
export const readXlsxRows = async (
  hucre: Hucre,
  bytes: Uint8Array,
  skipRows: number,
  take: (row: TableRow) => void,
): Promise<StatementUnreadable | null> => {
  // Cells with their formats are several times as large, so they are read only where a format says something.
  let readStyles = false;
  const wrong = checkZip(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), (name, part) => {
    if (!isOfStyles(name)) return;
    const styles = part.toString('utf8', 0, LOOKED_AT_STYLES);
    if (mayMark(styles) || mayNameCurrency(styles) || mayFill(styles)) readStyles = true;
  });
  if (wrong !== null) return wrong;
  try {
    const own = unshared(bytes);
    const hidden: string[] = [];
    const { sheets } = await hucre.readXlsx(own, {
      sheets: (info) => {
        if (info.index === 0 && (info.hidden === true || info.veryHidden === true)) hidden.push(info.name);
        return info.index === 0 && hidden.length === 0;
      },
      range: LOOKED_AT,
      readStyles,
    });
    if (hidden.length > 0) return unreadable(null, 'xlsx', HIDDEN);
    const sheet = sheets[0];
    if (sheet === undefined) return unreadable(null, 'xlsx', 'the workbook has no sheet');
    const beyond = await wrongBeyond(hucre, own);
    if (beyond !== null) return beyond;
    const damaged = sheet.rows.findIndex((values) =>
      values.some((value) => typeof value === 'string' && !isPlain(value)),
    );
    if (damaged !== -1) return unreadable(damaged + 1, 'encoding', 'a cell holds the number of what is no character');
    const isFilledByFormula = formulaAreas(sheet.cells, hucre.parseCellRef);
    if (isUnreadable(isFilledByFormula)) return isFilledByFormula;
    for (const [at, values] of sheet.rows.entries()) {
      if (at < skipRows) continue;
      const cellAt = (column: number): Cell | undefined => sheet.cells?.get(`${String(at)},${String(column)}`);
      const isComputed = (column: number): boolean => isFormula(cellAt(column)) || isFilledByFormula(at, column);
      // hucre makes every row as wide as the widest.
      const last = values.findLastIndex((value, column) => isFilled(value) || isComputed(column));
      const cells = values
        .slice(0, last + 1)
        .map((value, column) => cellOf(value, isComputed(column), cellAt(column)?.style?.numFmt));
      if (cells.every(({ text, formula }) => text.trim() === '' && !formula)) continue;
      take({
        line: at + 1,
        cells,
        raw: cells
          .map(({ text }) => text)
          .join('\t')
          .trimEnd(),
      });
    }
    return null;
  } catch {
    return unreadable(null, 'xlsx', 'the workbook is damaged');
  }
};
