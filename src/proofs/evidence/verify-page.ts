import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const read = (name: string): string => readFileSync(fileURLToPath(import.meta.resolve(`./page/${name}`)), 'utf8');

const source = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`;

const made = (): Buffer => {
  const [page, script, style] = [read('verify.html'), read('verify.js'), read('verify.css')];
  // Whatever is in the evidence, the page runs nothing else, loads nothing, and sends nothing.
  const policy = `default-src 'none'; script-src ${source(script)}; style-src ${source(style)}; base-uri 'none'; form-action 'none'`;
  const whole = page
    .replace('{{policy}}', policy)
    .replace('<link rel="stylesheet" href="verify.css" />', () => `<style>${style}</style>`)
    .replace('<script src="verify.js"></script>', () => `<script>${script}</script>`);
  return Buffer.from(whole);
};

let page: Buffer | null = null;

/** The page that checks evidence in a browser: one file, which needs no network. Throws where its parts can't be read. */
export const verifyPage = (): Buffer => (page ??= made());
