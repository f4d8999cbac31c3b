/** A workbook. */
export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** A table of text, whose first line names the columns. */
export const CSV_TYPE = 'text/csv; charset=utf-8; header=present';
