import type { Cell, CellValue, readXlsx as ReadXlsx } from 'hucre/xlsx';
import { parseBusinessDay } from '../../domain/business-day.ts';
import { parseDecimal } from '../../domain/decimal.ts';
import { isPlain } from '../read-text.ts';
import { unreadable, type StatementUnreadable } from '../unreadable.ts';
import { textCell, type TableCell, type TableRow } from './table-row.ts';
import { checkZip } from './zip-check.ts';

const isFormula = (cell: Cell | undefined): boolean =>
  cell !== undefined &&
  (cell.type === 'formula' || cell.formula !== undefined || cell.formulaSharedIndex !== undefined);

const cellOf = (value: CellValue, formula: boolean): TableCell => {
  if (value === null) return { ...textCell(''), formula };
  if (value instanceof Date) {
    const text = Number.isNaN(value.getTime()) ? '' : value.toISOString().slice(0, 10);
    return { text, number: null, day: parseBusinessDay(text), formula };
  }
  const text = String(value);
  return { text, number: typeof value === 'number' ? parseDecimal(text) : null, day: null, formula };
};

/**
 * A row is as wide as its last cell: some KB of cells that stand in the last column of a sheet would be gigabytes of
 * empty ones. Tables of banks have some dozen columns; these are a thousand.
 */
const LOOKED_AT = 'A1:ALL1048576';

/**
 * The rows of a workbook's first sheet from its header on, without empty ones. The archive is unpacked within bounds before
 * anything of it is read.
 *
 * @param readXlsx hucre's reader, which is loaded when the first workbook comes
 */
export const readXlsxRows = async (
  readXlsx: typeof ReadXlsx,
  bytes: Uint8Array,
  skipRows: number,
): Promise<readonly TableRow[] | StatementUnreadable> => {
  const wrong = checkZip(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (wrong !== null) return wrong;
  try {
    const { sheets } = await readXlsx(bytes, { sheets: [0], range: LOOKED_AT });
    const sheet = sheets[0];
    if (sheet === undefined) return unreadable(null, 'xlsx', 'the workbook has no sheet');
    const damaged = sheet.rows.findIndex((values) =>
      values.some((value) => typeof value === 'string' && !isPlain(value)),
    );
    if (damaged !== -1) return unreadable(damaged + 1, 'encoding', 'a cell holds the number of what is no character');
    return sheet.rows.flatMap((values, at) => {
      if (at < skipRows) return [];
      const cells = values.map((value, column) =>
        cellOf(value, isFormula(sheet.cells?.get(`${String(at)},${String(column)}`))),
      );
      if (cells.every(({ text, formula }) => text.trim() === '' && !formula)) return [];
      return {
        line: at + 1,
        cells,
        raw: cells
          .map(({ text }) => text)
          .join('\t')
          .trimEnd(),
      };
    });
  } catch {
    return unreadable(null, 'xlsx', 'the workbook is damaged');
  }
};
