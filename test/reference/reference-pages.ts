import { fileURLToPath } from 'node:url';
import { format } from 'oxfmt';
import STYLE from '../../.oxfmtrc.json' with { type: 'json' };
import { ledgerProcesses } from '../support/ledger-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { commandsPage } from './commands-page.ts';
import { metricsPage } from './metrics-page.ts';
import { problemCodesPage } from './problem-codes-page.ts';
import { routesPage, scopesPage } from './routes-pages.ts';
import { variablesPage } from './variables-page.ts';

/** Where the pages are. */
export const REFERENCE_FOLDER = fileURLToPath(new URL('../../docs/reference/', import.meta.url));

const INDEX = `# Reference tables

Made from the code by \`npm run docs:reference\`; a test says when one is stale. Nothing here is edited by hand.

- [Environment variables](variables.md)
- [Commands, options and exit statuses](commands.md)
- [Routes](routes.md)
- [Scopes](scopes.md)
- [Problem codes](problem-codes.md)
- [Metrics](metrics.md)

What these mean together, and what may be relied on, is in [docs/spec](../spec/README.md).
`;

/** The document that a ledger gives of itself. */
const openApiDocument = async (): Promise<unknown> => {
  const { path, remove } = temporaryFolder();
  const processes = ledgerProcesses(() => ({ DATA_DIR: path }));
  try {
    const { url } = await processes.serve({});
    return await (await fetch(`${url}/openapi.json`)).json();
  } finally {
    await processes.endAll();
    remove();
  }
};

/** The pages of \`docs/reference\` by file name, as the code is now. */
export const referencePages = async (): Promise<ReadonlyMap<string, string>> => {
  const document = await openApiDocument();
  const pages: readonly (readonly [string, string])[] = [
    ['README.md', INDEX],
    ['variables.md', variablesPage()],
    ['commands.md', await commandsPage()],
    ['routes.md', routesPage(document)],
    ['scopes.md', scopesPage(document)],
    ['problem-codes.md', problemCodesPage()],
    ['metrics.md', await metricsPage()],
  ];
  const formatted = await Promise.all(
    pages.map(async ([name, text]) => [name, (await format(name, text, STYLE)).code] as const),
  );
  return new Map(formatted);
};
