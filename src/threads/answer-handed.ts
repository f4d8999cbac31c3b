import type * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { ApiFailure } from '../api/api-failure.ts';
import { auditListRoute } from '../api/audit-route.ts';
import type { WrittenReply } from '../api/handed-question.ts';
import { matchItemRoute } from '../api/match-item-route.ts';
import { orderListRoute } from '../api/order-list-route.ts';
import { orderRoutes } from '../api/order-routes.ts';
import { periodAdjustmentsRoute } from '../api/period-adjustments-route.ts';
import { periodStateRoutes } from '../api/period-state-routes.ts';
import { periodWorkbookRoute } from '../api/period-workbook-route.ts';
import { quarantineListRoute } from '../api/quarantine-list-route.ts';
import { reportRoutes } from '../api/report-routes.ts';
import type { RouteDependencies } from '../api/described-route.ts';
import { statementLineRoute } from '../api/statement-line-route.ts';
import { statementListRoute } from '../api/statement-list-route.ts';
import { businessCalendar } from '../domain/business-day.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { serveHandedLog } from '../proofs/serve-log.ts';
import { isAdjusted } from '../queries/periods/adjustments.ts';
import { withPast } from '../read-models/past-read-models.ts';
import type { PastStates } from '../read-models/touched-orders.ts';
import type { Snapshot } from '../read-models/snapshot.ts';
import { MOMENT_WITHIN_MS } from './past-answers.ts';
import type { Handed } from './query-message.ts';

/** Who asks was looked at before the question was handed over. */
const ASKED_BEFORE: RouteDependencies = {
  apiKeys: () => [],
  limits: {
    count: () => TE.right({ perMinute: 0, remaining: 0, msBeforeNext: 0 }),
    admit: (_reader, answer) => answer,
  },
  log: { error: () => undefined, warn: () => undefined },
};

/** What questions that are handed over are answered by. */
export type AnswersOf = {
  readonly store: EventStore;
  readonly past: PastStates;
  /** Of one state, where the question is of a moment. */
  readonly readModels: Snapshot;
  readonly timeZone: string;
  /** The files of the tree do not lead to what was signed: whoever keeps them is to look. */
  readonly suspectTree: () => void;
};

/** Answers a question that was handed to this thread; null: its route is not one of those that are answered here. */
export const answerHanded = async (
  { store, past, readModels, timeZone, suspectTree }: AnswersOf,
  { routeId, question, now, matchDueDays, secrets, log }: Handed,
): Promise<E.Either<ApiFailure, WrittenReply> | null> => {
  const keys = new Map(secrets.map(({ id, key }) => [id, Buffer.from(key, 'hex')]));
  const served = serveHandedLog(log, suspectTree);
  const models = withPast(readModels, past, MOMENT_WITHIN_MS);
  const deps = {
    ...ASKED_BEFORE,
    store,
    readModels: models,
    isAdjusted: isAdjusted(models),
    calendar: businessCalendar(timeZone),
    secretKey: (id: string) => keys.get(id) ?? null,
    now: () => now,
    matchDueDays,
    proofs: served,
  };
  const routes = [
    orderListRoute(deps),
    ...orderRoutes(deps),
    ...reportRoutes(deps),
    auditListRoute(deps),
    statementListRoute(deps),
    statementLineRoute(deps),
    matchItemRoute(deps),
    quarantineListRoute(deps),
    ...periodStateRoutes(deps),
    periodAdjustmentsRoute(deps),
    periodWorkbookRoute(deps),
  ];
  const route = routes.find(({ id }) => id === routeId);
  try {
    return route === undefined ? null : await route.answerHanded(question)();
  } finally {
    served.close();
  }
};
