import { mostKept } from './bounded-line.ts';
import { LineKeeper } from './line-keeper.ts';
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

type Reader = (
  bytes: Uint8Array,
  reading: StatementReading,
  keeper: LineKeeper,
) => Promise<readonly ReadStatement[] | StatementUnreadable>;

const READERS: Readonly<Record<StatementFormat, Reader>> = {
  mt940: async (bytes, _reading, keeper) => (await import('./mt940/read-mt940.ts')).readMt940(bytes, keeper),
  'camt.053': async (bytes, _reading, keeper) => {
    const [{ default: sax }, { readCamt }] = await Promise.all([import('sax'), import('./camt/read-camt.ts')]);
    return readCamt(sax.SAXParser, bytes, keeper);
  },
  ofx: async (bytes, _reading, keeper) => {
    const [{ default: sax }, { readOfx }] = await Promise.all([import('sax'), import('./ofx/read-ofx.ts')]);
    return readOfx(sax.SAXParser, bytes, keeper);
  },
  csv: async (bytes, { profile, account, currency }, keeper) => {
    if (profile === null) return noProfile;
    const [{ parse }, { readCsv }, { csvDamage }, { tableReader }] = await Promise.all([
      import('csv-parse/sync'),
      import('./table/read-csv.ts'),
      import('./table/csv-damage.ts'),
      import('./table/read-table.ts'),
    ]);
    const text = readText(bytes);
    if (isUnreadable(text)) return text;
    const table = tableReader(profile, account, currency, keeper, csvDamage);
    return readCsv(parse, text, profile.skipRows, profile.delimiter, table.take) ?? table.end();
  },
  xlsx: async (bytes, { profile, account, currency }, keeper) => {
    if (profile === null) return noProfile;
    const [hucre, { readXlsxRows }, { tableReader }] = await Promise.all([
      import('hucre/xlsx'),
      import('./table/read-xlsx.ts'),
      import('./table/read-table.ts'),
    ]);
    const table = tableReader(profile, account, currency, keeper);
    return (await readXlsxRows(hucre, bytes, profile.skipRows, table.take)) ?? table.end();
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
  const keeper = new LineKeeper(mostKept(bytes.length));
  const read = await READERS[reading.format](bytes, reading, keeper);
  // Lines that were not kept are missing in all that is told of them.
  if (keeper.overfull !== null) return keeper.overfull;
  return isUnreadable(read) ? read : (checkSequence(read) ?? read);
};
