import readExcelFile from 'read-excel-file/node';

/** The cells of a sheet, row by row. */
export type Cells = readonly (readonly unknown[])[];

/** The cells of each sheet of a workbook, by its name, read by a reader that shares nothing with what writes ours. */
export const readXlsxSheets = async (workbook: Buffer): Promise<ReadonlyMap<string, Cells>> => {
  const sheets = await readExcelFile(workbook, { trim: false });
  return new Map(sheets.map(({ sheet, data }) => [sheet, data]));
};
