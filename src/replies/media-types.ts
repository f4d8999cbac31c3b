/** A form of a file: its media type, and that with its parameters as it is sent. */
type MediaType = { readonly type: string; readonly sent: string };

export const CSV: MediaType = { type: 'text/csv', sent: 'text/csv; charset=utf-8; header=present' };

/** A line of JSON for each row. */
export const NDJSON: MediaType = { type: 'application/x-ndjson', sent: 'application/x-ndjson; charset=utf-8' };

const WORKBOOK = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

export const XLSX: MediaType = { type: WORKBOOK, sent: WORKBOOK };
