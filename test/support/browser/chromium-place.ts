import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as t from 'io-ts';
import { right } from '../right.ts';

/** `its own`: the one font that comes along, with which pages are as wide on every machine. */
export type Fonts = 'its own' | 'with those of this machine';

/** A browser that can be started. */
export type ChromiumPlace = {
  readonly executable: string;
  /** Fontconfig files; null: what the browser finds by itself. */
  readonly fonts: Readonly<Record<Fonts, string>> | null;
};

const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/', import.meta.url));
const PACKAGE = fileURLToPath(new URL('../../../node_modules/@sparticuz/chromium/package.json', import.meta.url));
const PROGRAM = fileURLToPath(new URL('./inflate-chromium.ts', import.meta.url));

const Package = t.type({ version: t.string });

const preferring = (family: string, preferred: string): string =>
  `<alias binding="strong"><family>${family}</family><prefer><family>${preferred}</family></prefer></alias>`;

const fontsConfiguration = (folder: string, further: string): string =>
  [
    `<?xml version="1.0"?><fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/fonts-cache</cachedir>`,
    further,
    preferring('sans-serif', 'Open Sans'),
    preferring('system-ui', 'Open Sans'),
    preferring('monospace', 'DejaVu Sans Mono'),
    '</fontconfig>\n',
  ].join('\n');

const FONT_FILES = { 'its own': 'fonts.conf', 'with those of this machine': 'more-fonts.conf' } as const;

const unpack = async (folder: string): Promise<void> => {
  mkdirSync(CACHE, { recursive: true });
  const unfinished = mkdtempSync(`${folder}-`);
  await promisify(execFile)(process.execPath, [PROGRAM], { env: { ...process.env, TMPDIR: unfinished } });
  writeFileSync(join(unfinished, FONT_FILES['its own']), fontsConfiguration(folder, ''));
  const machine = '<dir>/usr/share/fonts</dir>';
  writeFileSync(join(unfinished, FONT_FILES['with those of this machine']), fontsConfiguration(folder, machine));
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    // Another test file was faster: its folder is whole.
    rmSync(unfinished, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
};

/**
 * Where Chromium is: what CHROMIUM_EXECUTABLE names, else the one of the package, which is unpacked once (210 MB) under node_modules.
 * The package itself would put it where everybody may write, and take whatever lies there.
 */
export const chromiumPlace = async (): Promise<ChromiumPlace> => {
  const own = process.env['CHROMIUM_EXECUTABLE'];
  if (own !== undefined && own !== '') return { executable: own, fonts: null };
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('the Chromium that comes along is for Linux on x64: name another one in CHROMIUM_EXECUTABLE');
  }
  const { version } = right(Package.decode(JSON.parse(readFileSync(PACKAGE, 'utf8'))));
  const folder = join(CACHE, `chromium-${version}`);
  if (!existsSync(folder)) await unpack(folder);
  const fonts = {
    'its own': join(folder, FONT_FILES['its own']),
    'with those of this machine': join(folder, FONT_FILES['with those of this machine']),
  };
  return { executable: join(folder, 'chromium'), fonts };
};
