import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { DocumentedRoute } from '../http/documented-router.ts';
import type { Operation } from '../openapi/operation.ts';
import { publicFileAnswers, type PublicFiles } from './public-file.ts';

/** Everything comes from this ledger, and no script stands in the page itself; the style sheet holds its pictures. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE_PATH = '/docs';

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Ramp Ledger: HTTP interface</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    <div id="docs"></div>
    <noscript>
      <p>This page is drawn by a script. The document that it shows is <a href="/openapi.json">/openapi.json</a>: OpenAPI 3.1, for any tool that reads it.</p>
    </noscript>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

/** The class is Swagger UI's own for the dark. `validatorUrl`: without it the page would send the document's address to a server elsewhere. */
const START = `const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
follow();
dark.addEventListener('change', follow);
SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  validatorUrl: null,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
});
`;

type Asset = {
  readonly id: string;
  readonly path: string;
  readonly type: string;
  readonly bytes: () => Buffer | Promise<Buffer>;
};

const written = (text: string) => (): Buffer => Buffer.from(text);

const ofFile = (url: string) => (): Promise<Buffer> => readFile(fileURLToPath(url));

const ASSETS: readonly Asset[] = [
  { id: 'getDocs', path: PAGE_PATH, type: 'text/html', bytes: written(PAGE) },
  { id: 'getDocsStart', path: '/docs/start.js', type: 'text/javascript', bytes: written(START) },
  {
    id: 'getDocsScript',
    path: '/docs/swagger-ui-bundle.js',
    type: 'text/javascript',
    bytes: ofFile(import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js')),
  },
  {
    id: 'getDocsStyle',
    path: '/docs/swagger-ui.css',
    type: 'text/css',
    bytes: ofFile(import.meta.resolve('swagger-ui-dist/swagger-ui.css')),
  },
];

const HEADERS = { 'Content-Security-Policy': POLICY };

const operationOf = ({ id, path, type }: Asset): Operation => ({
  id,
  method: 'get',
  path,
  tag: 'Operating',
  summary: path === PAGE_PATH ? 'This document for people' : 'A part of the page at `/docs`',
  scopes: [],
  parameters: [],
  answers: publicFileAnswers('The file.', [{ type, schema: { type: 'string' } }]),
  problems: [],
});

/** `/docs`: the OpenAPI document for people, drawn by Swagger UI without loading anything from elsewhere. */
export const docsRoutes = (files: PublicFiles): readonly DocumentedRoute[] =>
  ASSETS.map((asset) => ({
    operation: operationOf(asset),
    ...(asset.path === PAGE_PATH ? {} : { isPartOfPage: true as const }),
    handle: files({ type: `${asset.type}; charset=utf-8`, headers: HEADERS, bytes: asset.bytes }),
  }));
