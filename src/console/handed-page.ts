import * as E from 'fp-ts/lib/Either.js';
import type { ApiKey } from '../access/api-key.ts';
import type { RequestId } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';
import { personalDataFor } from '../queries/masking/personal-data.ts';
import type { QueryFailure } from '../queries/failure/query-failure.ts';
import { auditTrailPage } from './audit/audit-page.ts';
import type { ConsoleQuestion, ConsoleRoute } from './console-question.ts';
import { frame } from './frame.ts';
import { pageText } from './html.ts';
import type { LargePageDependencies } from './large-page-dependencies.ts';
import { timesIn } from './local-time.ts';
import { eventDetailPage } from './order/event-page.ts';
import { evidenceFile } from './order/order-evidence.ts';
import { orderDetailPage } from './order/order-page.ts';
import type { LedgerHealth } from './health/ledger-health.ts';
import { ordersPage } from './orders/orders-page.ts';
import { searchPage } from './orders/search-page.ts';
import { overviewPage } from './overview/overview-page.ts';
import { closePages } from './periods/close-pages.ts';
import { closedPeriodPage } from './periods/closed-period-page.ts';
import { periodsPage } from './periods/periods-page.ts';
import { quarantineListPage } from './quarantine/quarantine-page.ts';
import { reconciliationPage } from './reconciliation/reconciliation-page.ts';
import { reconciliationSearchPage } from './reconciliation/reconciliation-search-page.ts';
import { handedBytes } from '../replies/handed-bytes.ts';
import type { WrittenPage } from './page.ts';
import { bothFlowsPage, reportFilePage } from './reports/report-file.ts';
import { reportPage } from './reports/report-page.ts';
import type { Session } from './session.ts';

/** Pages that are made of orders or events whole, some MB each, or of a row for each day, currency, token and chain. */
export const largePages = (deps: LargePageDependencies): readonly ConsoleRoute[] =>
  [
    ordersPage(deps),
    searchPage(deps),
    orderDetailPage(deps),
    evidenceFile(deps),
    eventDetailPage(deps),
    auditTrailPage(deps),
    reconciliationPage(deps),
    reconciliationSearchPage(deps),
    reportPage(deps, 'onramp'),
    reportPage(deps, 'offramp'),
    reportFilePage(deps, 'onramp'),
    reportFilePage(deps, 'offramp'),
    bothFlowsPage(deps),
    periodsPage(deps),
    quarantineListPage(deps),
    ...closePages(deps),
  ].map((route) => ({ ...route, isLarge: true as const }));

/** A question for a large page, from somebody who may see it. Plain data. */
export type HandedPage = {
  /** Of its route: `/console/orders/{orderId}`. */
  readonly route: string;
  readonly path: string;
  readonly querystring: string;
  readonly form: readonly (readonly [string, string])[];
  readonly session: Omit<Session, 'key'> & Omit<ApiKey, 'scopes'> & { readonly scopes: readonly string[] };
  readonly requestId: RequestId;
  readonly origin: string;
  readonly now: Instant;
  /** What the page's scripts are known by. */
  readonly scriptNonce: string;
  /** The last event that the page surely includes; empty before the first. */
  readonly after: string;
  /** How the ledger is, as the thread that receives knows it; null where the page does not say. */
  readonly health: LedgerHealth | null;
};

/** A question for another thread. */
export const handedPage = (
  { path: route }: Pick<ConsoleRoute, 'path'>,
  { session, path, querystring, form, requestId, origin, now }: ConsoleQuestion,
  { scriptNonce, after, health }: Pick<HandedPage, 'scriptNonce' | 'after' | 'health'>,
): HandedPage => {
  const { key, nonce, expiresAt } = session;
  return {
    route,
    path,
    querystring,
    form: [...form],
    session: { id: key.id, sha256: key.sha256, scopes: [...key.scopes], nonce, expiresAt },
    requestId,
    origin,
    now,
    scriptNonce,
    after,
    health,
  };
};

const bytesOf = (content: string | Uint8Array, areOwn?: true): Uint8Array<ArrayBuffer> =>
  typeof content === 'string' ? new TextEncoder().encode(content) : handedBytes(content, areOwn);

/** Makes a large page, or the file or the way to another page that it is; null: it is not one of those that are made here. */
export const answerHandedPage = async (
  deps: LargePageDependencies,
  handed: HandedPage,
): Promise<E.Either<QueryFailure, WrittenPage> | null> => {
  const { health } = handed;
  const route = [
    ...largePages(deps),
    closedPeriodPage(deps),
    ...(health === null ? [] : [overviewPage({ ...deps, health: () => Promise.resolve(health) })]),
  ].find(({ path }) => path === handed.route);
  if (route === undefined) return null;
  const { id, sha256, nonce, expiresAt } = handed.session;
  const scopes = new Set(handed.session.scopes);
  const session: Session = { key: { id, sha256, scopes }, nonce, expiresAt };
  const times = timesIn(deps.calendar.timeZone);
  const made = await route.answer({
    ...handed,
    session,
    reader: { keyId: id, mayRead: () => true },
    personal: personalDataFor(scopes),
    form: new Map(handed.form),
    file: null,
    isTooLarge: false,
    // No page that is made here asks for it.
    isFromThisMachine: false,
    times,
    lastEventId: '',
  })();
  if (E.isLeft(made)) return made;
  if (made.right._tag === 'SeeOther') return E.right(made.right);
  if (made.right._tag === 'Page') {
    const { page } = made.right;
    const document = await pageText(frame(page, { nonce: handed.scriptNonce, session, times, after: handed.after }));
    return E.right({ _tag: 'Document', status: page.status ?? 200, bytes: bytesOf(document) });
  }
  // No page that is made here sends a form on.
  if (made.right._tag === 'SendOn') return null;
  const { reply } = made.right;
  if (!('body' in reply)) return null;
  const { type = '', headers = {}, body, ownsBytes } = reply;
  return E.right({ _tag: 'File', type, headers, bytes: bytesOf(body, ownsBytes) });
};
