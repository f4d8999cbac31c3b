import type { DocumentedRoute } from '../http/documented-router.ts';
import type { ApiDependencies } from './api-dependencies.ts';
import { auditListRoute } from './audit-route.ts';
import { exportRoutes } from './export-routes.ts';
import { liveRoute } from './live-route.ts';
import { orderListRoute } from './order-list-route.ts';
import { orderRoutes } from './order-routes.ts';
import { periodAdjustmentsRoute } from './period-adjustments-route.ts';
import { periodRoutes } from './period-routes.ts';
import { periodWorkbookRoute } from './period-workbook-route.ts';
import { proofRoutes } from './proof-routes.ts';
import { quarantineRoutes } from './quarantine-routes.ts';
import { reconciliationRoutes } from './reconciliation-routes.ts';
import { transferRoutes } from './transfer-routes.ts';
import { statementRoutes } from './statement-routes.ts';
import { reportRoutes } from './report-routes.ts';

/** Every route of the query side that a key is needed for (docs/spec/http.md, Keys and scopes). */
export const apiRoutes = (deps: ApiDependencies): readonly DocumentedRoute[] => [
  orderListRoute(deps),
  ...orderRoutes(deps),
  ...reportRoutes(deps),
  ...periodRoutes(deps),
  periodAdjustmentsRoute(deps),
  periodWorkbookRoute(deps),
  auditListRoute(deps),
  ...reconciliationRoutes(deps),
  ...quarantineRoutes(deps),
  ...statementRoutes(deps),
  ...transferRoutes(deps),
  ...proofRoutes(deps),
  ...exportRoutes(deps),
  liveRoute(deps),
];
