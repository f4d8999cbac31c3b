import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readXlsxSheets, type Cells } from './workbook-cells.ts';
import { folderOnDisk } from './temporary-folder.ts';

const run = promisify(execFile);

const MISSING = 'LibreOffice is missing: install the Debian package libreoffice-calc-nogui';

const CONVERSION_MS = 120_000;

/** How a CSV file is opened: what stands between its cells, as a spreadsheet of some countries takes it. */
export type Opening = { readonly ending: 'xlsx' } | { readonly ending: 'csv'; readonly between: ',' | ';' | '\t' };

const UTF_8 = 76;

const openingOptions = (opening: Opening): readonly string[] =>
  opening.ending === 'xlsx'
    ? []
    : [`--infilter=Text - txt - csv (StarCalc):${opening.between.charCodeAt(0)},34,${UTF_8},1,,0,false,true`];

/** Has LibreOffice open a file and save it in another form. @throws Error where it is not there, or cannot. */
const resaved = async (bytes: Uint8Array, opening: Opening, as: 'fods' | 'xlsx'): Promise<Buffer> => {
  const folder = folderOnDisk();
  try {
    const file = join(folder.path, `opened.${opening.ending}`);
    writeFileSync(file, bytes);
    const out = join(folder.path, 'saved');
    const profile = `-env:UserInstallation=file://${folder.path}/profile`;
    await run(
      'soffice',
      [profile, '--headless', ...openingOptions(opening), '--convert-to', as, '--outdir', out, file],
      { timeout: CONVERSION_MS },
    ).catch((error: unknown) => {
      throw error instanceof Error && 'code' in error && error.code === 'ENOENT' ? new Error(MISSING) : error;
    });
    return readFileSync(join(out, `opened.${as}`));
  } finally {
    folder.remove();
  }
};

/** A workbook as LibreOffice shows it: the cells of each sheet, by its name. */
export const openedByLibreOffice = async (workbook: Uint8Array): Promise<ReadonlyMap<string, Cells>> =>
  readXlsxSheets(await resaved(workbook, { ending: 'xlsx' }, 'xlsx'));

/** How many formulas LibreOffice finds in a file. */
export const formulasIn = async (bytes: Uint8Array, opening: Opening): Promise<number> =>
  (await resaved(bytes, opening, 'fods')).toString().split('table:formula=').length - 1;
