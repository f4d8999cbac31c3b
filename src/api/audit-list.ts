import { taskEither as TE } from 'fp-ts';
import { pipe } from 'fp-ts/lib/function.js';
import type * as t from 'io-ts';
import { auditEntry, type AuditEntry } from '../../projections/audit-trail/index.ts';
import type { Position } from '../domain/ids.ts';
import type { Problem } from '../http/problem.ts';
import { verifyEvent, type EventVerdict } from '../ledger/verify-event.ts';
import type { AuditFilter } from '../read-models/read-models.ts';
import type { ApiDependencies } from './api-dependencies.ts';
import { AUDIT_FILTER_PARAMETERS, AUDIT_TERM, AUDIT_VERIFY, auditFilter } from './audit-filter.ts';
import { auditSearch, type AuditHit } from './audit-search.ts';
import type { DocumentedRoute } from '../http/documented-router.ts';
import { cursorParameter, limitParameter, positionText, USUAL_LIMIT, type Query } from './parameters.ts';
import { nextAfter, positionInCursor } from './position-cursor.ts';
import { positionParameter, whenIncluded } from './position-parameter.ts';
import { behind, storeUnavailable } from './query-problems.ts';
import { route } from './question.ts';
import { AuditPage as AuditPageResource, entryResource } from './resources/audit-entry.ts';
import type { PersonalData } from './resources/order-resource.ts';

/** What `GET /v1/audit` takes. */
export const AUDIT_LIST_PARAMETERS = {
  ...AUDIT_FILTER_PARAMETERS,
  q: AUDIT_TERM,
  verify: AUDIT_VERIFY,
  limit: limitParameter,
  cursor: cursorParameter,
  position: positionText,
} as const;

type Deps = Pick<ApiDependencies, 'store' | 'readModels' | 'calendar' | 'secretKey'>;

type AuditQuestion = {
  readonly filter: AuditFilter;
  readonly q: string | null;
  readonly after: Position | null;
  readonly limit: number;
};

/** A page of events and how the list goes on: behind the last position that was looked at. */
type FoundPage = { readonly hits: readonly AuditHit[]; readonly last: Position | undefined; readonly more: boolean };

const everyEntry = ({ store, readModels }: Deps, { filter, after, limit }: AuditQuestion) =>
  pipe(
    readModels.auditPositions({ ...filter, term: null, after, limit }),
    TE.mapLeft(behind),
    TE.bindTo('page'),
    TE.bind('events', ({ page }) => pipe(store.readAt(page.data), TE.mapLeft(storeUnavailable))),
    TE.map(({ page: { data, more }, events }): FoundPage => ({
      hits: events.map((event) => ({ event, entry: auditEntry(event) })),
      last: data.at(-1),
      more,
    })),
  );

const pageOf = (deps: Deps, question: AuditQuestion): TE.TaskEither<Problem, FoundPage> => {
  const { q, ...rest } = question;
  if (q === null) return everyEntry(deps, question);
  return pipe(
    auditSearch(deps, { q, ...rest }),
    TE.map(({ data, more }) => ({ hits: data, last: data.at(-1)?.entry.position, more })),
  );
};

/** An entry of the trail, and the verdict on its event where it was asked for. */
export type JudgedEntry = { readonly entry: AuditEntry; readonly verdict: EventVerdict | null };

/** Entries of a list, and the cursor of the next page. */
export type AuditPage = { readonly entries: readonly JudgedEntry[]; readonly next: string | null };

/** The page of the audit trail that parameters of `GET /v1/audit` ask for, in the order of positions. */
export const auditPage =
  (deps: Deps) =>
  (query: Query<typeof AUDIT_LIST_PARAMETERS>): TE.TaskEither<Problem, AuditPage> => {
    const { store, readModels, calendar, secretKey } = deps;
    const { q, verify } = query;
    const filter = auditFilter(query, calendar);
    const name = JSON.stringify(['audit', filter, q]);
    return pipe(
      positionParameter(store, query.position),
      TE.bindTo('position'),
      TE.bind('after', () => positionInCursor(store, query.cursor, name)),
      TE.tap(({ position }) => whenIncluded({ store, readModels }, position)),
      TE.chain(({ after }) => pageOf(deps, { filter, q, after, limit: query.limit ?? USUAL_LIMIT })),
      TE.map(({ hits, last, more }) => ({
        entries: hits.map(({ event, entry }) => ({
          entry,
          verdict: verify === 'true' ? verifyEvent(event, secretKey) : null,
        })),
        next: nextAfter(name, last, more),
      })),
    );
  };

/** The same page as callers see it (docs/spec/http.md, Audit trail): `{data, next}`. */
export const auditList =
  (deps: Deps) =>
  (
    query: Query<typeof AUDIT_LIST_PARAMETERS>,
    personal: PersonalData,
  ): TE.TaskEither<Problem, t.TypeOf<typeof AuditPageResource>> =>
    pipe(
      auditPage(deps)(query),
      TE.map(({ entries, next }) => ({
        data: entries.map(({ entry, verdict }) => entryResource(entry, verdict, personal)),
        next,
      })),
    );

export const auditListRoute = (deps: ApiDependencies): DocumentedRoute =>
  route(deps, {
    id: 'listAuditEntries',
    method: 'get',
    path: '/v1/audit',
    tag: 'Audit',
    summary: 'The audit trail of all orders and the quarantine, in the order of positions',
    scopes: ['audit:read'],
    parameters: AUDIT_LIST_PARAMETERS,
    answers: { description: 'A page of entries.', resource: AuditPageResource },
    problems: ['behind', 'store-unavailable'],
    answer: ({ query, personal }) =>
      pipe(
        auditList(deps)(query, personal),
        TE.map((body) => ({ body })),
      ),
  });
