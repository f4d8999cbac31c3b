import type { DocumentedRouter } from '../http/documented-router.ts';
import type { ConsoleDependencies } from './console-dependencies.ts';
import type { ConsoleRoute } from './console-question.ts';
import { consoleRouter } from './console-router.ts';
import type { ConsoleSettings } from './console-settings.ts';
import { exportPages } from './export-pages.ts';
import { largePages } from './handed-page.ts';
import { checkpointPages } from './health/checkpoint-page.ts';
import { healthPage } from './health/health-page.ts';
import { refusedPage } from './health/refused-page.ts';
import { livePage } from './live-page.ts';
import { overviewPage } from './overview/overview-page.ts';
import { periodDeeds } from './periods/period-deeds.ts';
import { periodPage } from './periods/period-page.ts';
import { closingPages } from './quarantine/closing-pages.ts';
import { quarantinedPage } from './quarantine/quarantined-page.ts';
import { releasePage } from './quarantine/release-page.ts';
import { itemsFiles } from './reconciliation/items-file.ts';
import { decisionPage } from './reconciliation/decision-page.ts';
import { importPages } from './statements/import-pages.ts';

export { EndedSessions } from './ended-sessions.ts';
export { problemPages } from './problem-pages.ts';
export { StagedFiles } from './upload/staged-files.ts';

/** Every page of the console. */
const pages = (deps: ConsoleDependencies): readonly ConsoleRoute[] => [
  overviewPage(deps),
  ...largePages(deps),
  periodPage(deps),
  ...periodDeeds(deps),
  decisionPage(deps),
  ...itemsFiles(deps),
  ...importPages(deps),
  ...exportPages(deps),
  quarantinedPage(deps),
  releasePage(deps),
  ...closingPages(deps),
  healthPage(deps),
  ...checkpointPages(deps),
  refusedPage(deps),
  livePage(deps),
];

/** The console: orders, money and history for people (docs/spec/http.md, Console). */
export const consoleRoutes = (deps: ConsoleDependencies, settings: ConsoleSettings): DocumentedRouter => ({
  router: consoleRouter(deps, settings, pages(deps)),
  // Pages are for people: they are no part of the interface for programs.
  operations: [],
});
