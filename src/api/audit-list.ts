import { apply, either as E, taskEither as TE } from 'fp-ts';
import { pipe } from 'fp-ts/lib/function.js';
import { auditEntry } from '../../projections/audit-trail/index.ts';
import type { JsonObject } from '../domain/json.ts';
import type { Position } from '../domain/ids.ts';
import type { Problem } from '../http/problem.ts';
import { verifyEvent } from '../ledger/verify-event.ts';
import type { AuditFilter } from '../read-models/read-models.ts';
import type { ApiDependencies } from './api-dependencies.ts';
import { AUDIT_FILTER_PARAMETERS, auditFilter } from './audit-filter.ts';
import { auditSearch, type AuditHit } from './audit-search.ts';
import { anyText, limitParameter, oneOf, optional, type Parameters } from './parameters.ts';
import { nextAfter, positionInCursor } from './position-cursor.ts';
import { positionParameter, whenIncluded } from './position-parameter.ts';
import { behind, storeUnavailable } from './query-problems.ts';
import type { Route } from './question.ts';
import { entryResource } from './resources/audit-entry.ts';
import type { PersonalData } from './resources/order-resource.ts';

/** What `GET /v1/audit` takes. */
const AUDIT_LIST_PARAMETERS = [...AUDIT_FILTER_PARAMETERS, 'q', 'limit', 'cursor', 'verify', 'position'] as const;

type Deps = Pick<ApiDependencies, 'store' | 'readModels' | 'calendar' | 'secretKey'>;

type AuditQuestion = {
  readonly filter: AuditFilter;
  readonly q: string | null;
  readonly after: Position | null;
  readonly limit: number;
};

/** A page of events and how the list goes on: behind the last position that was looked at. */
type AuditPage = { readonly hits: readonly AuditHit[]; readonly last: Position | undefined; readonly more: boolean };

const everyEntry = ({ store, readModels }: Deps, { filter, after, limit }: AuditQuestion) =>
  pipe(
    readModels.auditPositions({ ...filter, term: null, after, limit }),
    TE.mapLeft(behind),
    TE.bindTo('page'),
    TE.bind('events', ({ page }) => pipe(store.readAt(page.data), TE.mapLeft(storeUnavailable))),
    TE.map(({ page: { data, more }, events }): AuditPage => ({
      hits: events.map((event) => ({ event, entry: auditEntry(event) })),
      last: data.at(-1),
      more,
    })),
  );

const pageOf = (deps: Deps, question: AuditQuestion): TE.TaskEither<Problem, AuditPage> => {
  const { q, ...rest } = question;
  if (q === null) return everyEntry(deps, question);
  return pipe(
    auditSearch(deps, { q, ...rest }),
    TE.map(({ data, more }) => ({ hits: data, last: data.at(-1)?.entry.position, more })),
  );
};

/** A page of the audit trail, in the order of positions (contract.md, `GET /v1/audit`): `{data, next}`. */
export const auditList =
  (deps: Deps) =>
  (parameters: Parameters, personal: PersonalData): TE.TaskEither<Problem, JsonObject> => {
    const { store, readModels, calendar, secretKey } = deps;
    return pipe(
      apply.sequenceS(E.Apply)({
        filter: auditFilter(parameters, calendar),
        q: optional(parameters, 'q', anyText),
        limit: limitParameter(parameters),
        verify: optional(parameters, 'verify', oneOf(['true', 'false'])),
      }),
      E.bind('name', ({ filter, q }) => E.right(JSON.stringify(['audit', filter, q]))),
      TE.fromEither,
      TE.bind('position', () => positionParameter(store, parameters)),
      TE.bind('after', ({ name }) => positionInCursor(store, parameters, name)),
      TE.tap(({ position }) => whenIncluded({ store, readModels }, position)),
      TE.bind('page', (question) => pageOf(deps, question)),
      TE.map(({ name, verify, page: { hits, last, more } }) => ({
        data: hits.map(({ event, entry }) =>
          entryResource(entry, verify === 'true' ? verifyEvent(event, secretKey) : null, personal),
        ),
        next: nextAfter(name, last, more),
      })),
    );
  };

export const auditListRoute = (deps: ApiDependencies): Route => ({
  method: 'get',
  path: '/v1/audit',
  scopes: ['audit:read'],
  parameters: AUDIT_LIST_PARAMETERS,
  answer: ({ parameters, personal }) =>
    pipe(
      auditList(deps)(parameters, personal),
      TE.map((body) => ({ body })),
    ),
});
