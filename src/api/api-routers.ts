import { documentedRouter, type DocumentedRouter } from '../http/documented-router.ts';
import type { ApiDependencies } from './api-dependencies.ts';
import { apiRoutes } from './api-routes.ts';
import { docsRoutes } from './docs-routes.ts';
import { healthRoutes } from './health-routes.ts';
import { openApiRoute } from './openapi-route.ts';
import { publicFiles } from './public-file.ts';

/** The routers of the interface: those handed in, its own, and the document of all of them. */
export const apiRouters = (deps: ApiDependencies, others: readonly DocumentedRouter[]): readonly DocumentedRouter[] => {
  const files = publicFiles();
  const documented = [...others, documentedRouter([...apiRoutes(deps), ...healthRoutes(deps), ...docsRoutes(files)])];
  const operations = documented.flatMap((router) => router.operations);
  return [...documented, documentedRouter([openApiRoute(files, operations)])];
};
