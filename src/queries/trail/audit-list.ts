import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type * as t from 'io-ts';
import { auditEntry, type AuditEntry } from '../../../projections/audit-trail/index.ts';
import type { Position } from '../../domain/ids.ts';
import { verifyEvent, type EventVerdict } from '../../ledger/verify-event.ts';
import type { AuditFilter } from '../../read-models/read-models.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import type { PersonalData } from '../masking/personal-data.ts';
import { cursorParameter, limitParameter, positionText, USUAL_LIMIT, type Query } from '../parameters/parameters.ts';
import { nextAfter, positionInCursor } from '../parameters/position-cursor.ts';
import { positionParameter, whenIncluded, type Including } from '../parameters/position-parameter.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import { entryResource, type AuditPageResource } from './audit-entry-resource.ts';
import { AUDIT_FILTER_PARAMETERS, AUDIT_TERM, AUDIT_VERIFY, auditFilter } from './audit-filter.ts';
import { auditSearch, type AuditHit } from './audit-search.ts';
import { eventsOfPage } from './events-of-page.ts';

/** The parameters of the audit trail. */
export const AUDIT_LIST_PARAMETERS = {
  ...AUDIT_FILTER_PARAMETERS,
  q: AUDIT_TERM,
  verify: AUDIT_VERIFY,
  limit: limitParameter,
  cursor: cursorParameter,
  position: positionText,
} as const;

type Deps = Pick<QueryDependencies, 'store' | 'readModels' | 'calendar' | 'secretKey'>;

/** What is asked of the trail: its parameters, read and found to be ones that this ledger can answer. */
export type AuditListQuestion = Including & {
  readonly filter: AuditFilter;
  readonly q: string | null;
  readonly verify: boolean;
  readonly after: Position | null;
  readonly limit: number;
};

const listName = (filter: AuditFilter, q: string | null): string => JSON.stringify(['audit', filter, q]);

/** Reads what the parameters of the trail ask for. */
export const parseAuditList =
  ({ store, calendar }: Pick<Deps, 'store' | 'calendar'>) =>
  (query: Query<typeof AUDIT_LIST_PARAMETERS>): TE.TaskEither<QueryFailure, AuditListQuestion> => {
    const { q, verify, limit } = query;
    const filter = auditFilter(query, calendar);
    return pipe(
      positionParameter(store, query.position),
      TE.bindTo('included'),
      TE.bindW('after', () => positionInCursor(store, query.cursor, listName(filter, q))),
      TE.map(({ included, after }) => ({
        filter,
        q,
        verify: verify === 'true',
        after,
        limit: limit ?? USUAL_LIMIT,
        included,
      })),
    );
  };

/** A page of events and how the list goes on: behind the last position that was looked at. */
type FoundPage = { readonly hits: readonly AuditHit[]; readonly last: Position | undefined; readonly more: boolean };

const everyEntry = ({ store, readModels }: Deps, { filter, after, limit }: AuditListQuestion) =>
  pipe(
    readModels.auditPositions({ ...filter, term: null, after, limit }),
    TE.bindTo('page'),
    TE.bindW('read', ({ page }) => eventsOfPage(store, page.data)),
    TE.map(({ page: { data, more }, read: { events, areAll } }): FoundPage => ({
      hits: events.map((event) => ({ event, entry: auditEntry(event) })),
      last: areAll ? data.at(-1) : events.at(-1)?.position,
      more: more || !areAll,
    })),
  );

const pageOf = (deps: Deps, question: AuditListQuestion): TE.TaskEither<QueryFailure, FoundPage> => {
  const { q, filter, after, limit } = question;
  if (q === null) return everyEntry(deps, question);
  return pipe(
    auditSearch(deps, { q, filter, after, limit }),
    TE.map(({ data, more }) => ({ hits: data, last: data.at(-1)?.entry.position, more })),
  );
};

/** An entry of the trail, and the verdict on its event where it was asked for. */
export type JudgedEntry = { readonly entry: AuditEntry; readonly verdict: EventVerdict | null };

/** Entries of a list, and the cursor of the next page. */
export type AuditPage = { readonly entries: readonly JudgedEntry[]; readonly next: string | null };

/** A page of the audit trail, in the order of positions. */
export const auditPage =
  (deps: Deps) =>
  (question: AuditListQuestion): TE.TaskEither<QueryFailure, AuditPage> => {
    const { filter, q, verify, included } = question;
    return pipe(
      whenIncluded(deps, included),
      TE.chain(() => pageOf(deps, question)),
      TE.map(({ hits, last, more }) => ({
        entries: hits.map(({ event, entry }) => ({
          entry,
          verdict: verify ? verifyEvent(event, deps.secretKey) : null,
        })),
        next: nextAfter(listName(filter, q), last, more),
      })),
    );
  };

/** The same page as callers see it (docs/spec/http.md, Audit trail): `{data, next}`. */
export const auditList =
  (deps: Deps, personal: PersonalData) =>
  (question: AuditListQuestion): TE.TaskEither<QueryFailure, t.TypeOf<typeof AuditPageResource>> =>
    pipe(
      auditPage(deps)(question),
      TE.map(({ entries, next }) => ({
        data: entries.map(({ entry, verdict }) => entryResource(entry, verdict, personal)),
        next,
      })),
    );
