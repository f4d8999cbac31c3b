import type { ReadStatement } from './read-statement.ts';
import { readText } from './read-text.ts';
import { checkSequence } from './check-sequence.ts';
import type { StatementFormat } from './statement-format.ts';
import type { StatementProfile } from '../domain/statement-profile.ts';
import { isUnreadable, unreadable, type StatementUnreadable } from './unreadable.ts';

/** How a bank file is to be read. */
export type StatementReading = {
  readonly format: StatementFormat;
  /** What the columns of a table are; needed for CSV and XLSX, and unused elsewhere. */
  readonly profile: StatementProfile | null;
  /** The account of a table that names none. */
  readonly account: string | null;
  readonly currency: string | null;
};

const noProfile = unreadable(null, 'profile', 'a table is read by a profile, which says what its columns are');

type Reader = (bytes: Uint8Array, reading: StatementReading) => Promise<readonly ReadStatement[] | StatementUnreadable>;

const READERS: Readonly<Record<StatementFormat, Reader>> = {
  mt940: async (bytes) => (await import('./mt940/read-mt940.ts')).readMt940(bytes),
  'camt.053': async (bytes) => {
    const [{ default: sax }, { readCamt }] = await Promise.all([import('sax'), import('./camt/read-camt.ts')]);
    return readCamt(sax.SAXParser, bytes);
  },
  ofx: async (bytes) => {
    const [{ default: sax }, { readOfx }] = await Promise.all([import('sax'), import('./ofx/read-ofx.ts')]);
    return readOfx(sax.SAXParser, bytes);
  },
  csv: async (bytes, { profile, account, currency }) => {
    if (profile === null) return noProfile;
    const [{ parse }, { readCsv }, { csvDamage }, { readTable }] = await Promise.all([
      import('csv-parse/sync'),
      import('./table/read-csv.ts'),
      import('./table/csv-damage.ts'),
      import('./table/read-table.ts'),
    ]);
    const text = readText(bytes);
    if (isUnreadable(text)) return text;
    const rows = readCsv(parse, text, profile.skipRows, profile.delimiter);
    if (isUnreadable(rows)) return rows;
    return csvDamage(rows) ?? readTable(rows, profile, account, currency);
  },
  xlsx: async (bytes, { profile, account, currency }) => {
    if (profile === null) return noProfile;
    const [hucre, { readXlsxRows }, { readTable }] = await Promise.all([
      import('hucre/xlsx'),
      import('./table/read-xlsx.ts'),
      import('./table/read-table.ts'),
    ]);
    const rows = await readXlsxRows(hucre, bytes, profile.skipRows);
    return isUnreadable(rows) ? rows : readTable(rows, profile, account, currency);
  },
};

/**
 * Reads a bank file whole, or says with line and field why it is refused. The parsers are loaded when they are first needed.
 * Nothing is fetched, whatever the file says.
 */
export const readStatementFile = async (
  bytes: Uint8Array,
  reading: StatementReading,
): Promise<readonly ReadStatement[] | StatementUnreadable> => {
  const read = await READERS[reading.format](bytes, reading);
  return isUnreadable(read) ? read : (checkSequence(read) ?? read);
};
