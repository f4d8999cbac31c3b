import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A file that pages refer to. */
type Asset = { readonly type: string; readonly body: Buffer; readonly path: string };

const HASH_LENGTH = 16;

/** Makes an asset of a file. In a script, the names of other scripts that it imports become their paths. */
const load = (name: string, type: string, from: string, imports: Readonly<Record<string, Asset>> = {}): Asset => {
  let text = readFileSync(fileURLToPath(import.meta.resolve(from)), 'utf8');
  for (const [specifier, { path }] of Object.entries(imports)) text = text.replace(`'${specifier}'`, `'${path}'`);
  const body = Buffer.from(text);
  const digest = createHash('sha256').update(body).digest('hex').slice(0, HASH_LENGTH);
  return { type, body, path: `/console/assets/${digest}/${name}` };
};

const [CSS, SCRIPT] = ['text/css; charset=utf-8', 'text/javascript; charset=utf-8'];

const uplot = load('uplot.js', SCRIPT, 'uplot/dist/uPlot.esm.js');
const live = load('live.js', SCRIPT, './assets/live.js');
const charts = load('charts.js', SCRIPT, './assets/charts.js', { uplot });

const ASSETS = {
  'charts.js': charts,
  'console.css': load('console.css', CSS, './assets/console.css'),
  'console.js': load('console.js', SCRIPT, './assets/console.js', { './charts.js': charts, './live.js': live }),
  'icon.svg': load('icon.svg', 'image/svg+xml', './assets/icon.svg'),
  'live.js': live,
  'uplot.css': load('uplot.css', CSS, 'uplot/dist/uPlot.min.css'),
  'uplot.js': uplot,
} as const;

/** Where a file is: its path changes with its content, so that it may be kept for ever. */
export const asset = (name: keyof typeof ASSETS): string => ASSETS[name].path;

/** The file at a path; null where there is none. */
export const assetAt = (path: string): Asset | null =>
  Object.values(ASSETS).find((candidate) => candidate.path === path) ?? null;
