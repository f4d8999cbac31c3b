import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Calendar } from '../../domain/business-day.ts';
import type { Instant } from '../../domain/instant.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import type { PersonalData } from '../masking/personal-data.ts';
import { ORDER_FILTER_PARAMETERS, orderFilter } from '../orders/order-filter-parameters.ts';
import {
  oneOf,
  parameter,
  positionText,
  type Parameter,
  type ParameterTable,
  type ParameterTexts,
  type Query,
} from '../parameters/parameters.ts';
import { asOfParameter, asOfText } from '../parameters/as-of-parameter.ts';
import { positionParameter, type Including } from '../parameters/position-parameter.ts';
import { matchChoice } from '../reconciliation/match-items.ts';
import { MATCH_ITEM_PARAMETERS } from '../reconciliation/reconciliation-parameters.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import { AUDIT_FILTER_PARAMETERS, AUDIT_TERM, AUDIT_VERIFY, auditFilter } from '../trail/audit-filter.ts';
import {
  EXPORT_FORMATS,
  type ExportFormat,
  type ExportKind,
  type ExportRequest,
  type ExportTerms,
} from './export-request.ts';

/** What callers are who ask, what they sent, and when. */
type Asking = {
  readonly texts: ParameterTexts;
  readonly personal: PersonalData;
  readonly calendar: Calendar;
  readonly now: Instant;
  readonly matchDueDays: number;
};

/** What is asked for, and the position, as it came, that it must include. */
type Asked = {
  readonly request: ExportRequest;
  readonly position: string | null;
  /** Of orders: which moment they are of, as it came. */
  readonly asOf: string | null;
};

/** The parameters of an export and of its manifest, and what they ask for. */
export type ExportQuestion<T extends ParameterTable> = {
  readonly kind: ExportKind;
  readonly parameters: T;
  readonly askedBy: (query: Query<T>, asking: Asking) => Asked;
};

const USUAL_FORMAT = 'csv';

const formatIn = (formats: readonly ExportFormat[]): Parameter<ExportFormat> =>
  parameter('The form of the file.', {
    ...oneOf(formats),
    schema: { type: 'string', enum: formats, default: USUAL_FORMAT },
  });

/** Those of some parameters that were sent, in the order of their table. */
const sent = (table: ParameterTable, texts: ParameterTexts): Readonly<Record<string, string>> => {
  const byName = new Map(texts);
  return Object.fromEntries(
    Object.keys(table).flatMap((name) => {
      const text = byName.get(name);
      return text === undefined ? [] : [[name, text]];
    }),
  );
};

const terms = (
  filters: ParameterTable,
  format: ExportFormat | null,
  { texts, personal, calendar: { timeZone }, now }: Asking,
): ExportTerms => ({ format: format ?? USUAL_FORMAT, personal, filters: sent(filters, texts), timeZone, now });

/** What an export of orders is of; the manifest says it again. */
const ORDER_TERMS = { ...ORDER_FILTER_PARAMETERS, asOf: asOfText } as const;

const ORDERS = {
  ...ORDER_TERMS,
  format: formatIn(EXPORT_FORMATS.orders),
  position: positionText,
} as const;

/** An event has the filters of its entry in the trail. */
const EVENT_FILTERS = { ...AUDIT_FILTER_PARAMETERS, q: AUDIT_TERM } as const;
const EVENTS = { ...EVENT_FILTERS, format: formatIn(EXPORT_FORMATS.events), position: positionText } as const;

const AUDIT_FILTERS = { ...EVENT_FILTERS, verify: AUDIT_VERIFY } as const;
const AUDIT = { ...AUDIT_FILTERS, format: formatIn(EXPORT_FORMATS.audit), position: positionText } as const;

export const ORDERS_EXPORT: ExportQuestion<typeof ORDERS> = {
  kind: 'orders',
  parameters: ORDERS,
  askedBy: (query, asking) => ({
    position: query.position,
    asOf: query.asOf,
    request: {
      ...terms(ORDER_TERMS, query.format, asking),
      kind: 'orders',
      filter: orderFilter(query, asking.personal),
    },
  }),
};

export const EVENTS_EXPORT: ExportQuestion<typeof EVENTS> = {
  kind: 'events',
  parameters: EVENTS,
  askedBy: (query, asking) => ({
    position: query.position,
    asOf: null,
    request: {
      ...terms(EVENT_FILTERS, query.format, asking),
      kind: 'events',
      filter: auditFilter(query, asking.calendar),
      q: query.q,
      verify: false,
    },
  }),
};

export const AUDIT_EXPORT: ExportQuestion<typeof AUDIT> = {
  kind: 'audit',
  parameters: AUDIT,
  askedBy: (query, asking) => ({
    position: query.position,
    asOf: null,
    request: {
      ...terms(AUDIT_FILTERS, query.format, asking),
      kind: 'audit',
      filter: auditFilter(query, asking.calendar),
      q: query.q,
      verify: query.verify === 'true',
    },
  }),
};

const RECONCILIATION = {
  ...MATCH_ITEM_PARAMETERS,
  format: formatIn(EXPORT_FORMATS.reconciliation),
  position: positionText,
} as const;

export const RECONCILIATION_EXPORT: ExportQuestion<typeof RECONCILIATION> = {
  kind: 'reconciliation',
  parameters: RECONCILIATION,
  askedBy: (query, asking) => ({
    position: query.position,
    asOf: null,
    request: {
      ...terms(MATCH_ITEM_PARAMETERS, query.format, asking),
      kind: 'reconciliation',
      choice: matchChoice(query),
      dueDays: asking.matchDueDays,
    },
  }),
};

/** An export that somebody asked for. */
export type AskedExport = Including & {
  readonly request: ExportRequest;
  /** Of orders: which moment they are of, as it came; null: what is known when the export is opened. */
  readonly asOf: string | null;
};

/** The request with its moment, once the read models are at hand that know it. */
export const withMoment = (
  deps: Parameters<typeof asOfParameter>[0],
  { request, asOf }: Pick<AskedExport, 'request' | 'asOf'>,
): TE.TaskEither<QueryFailure, ExportRequest> =>
  pipe(
    asOfParameter(deps, asOf),
    TE.map((moment) =>
      moment === undefined || request.kind !== 'orders'
        ? request
        : { ...request, asOf: { checkpoint: moment.checkpoint }, now: moment.now },
    ),
  );

/** Reads what the parameters of an export ask for. `texts`: as they came, for the manifest. */
export const parseExport = <T extends ParameterTable>(
  {
    store,
    calendar,
    matchDueDays,
    now,
  }: Pick<QueryDependencies, 'calendar' | 'matchDueDays' | 'now'> & {
    readonly store: Pick<QueryDependencies['store'], 'parsePosition'>;
  },
  { askedBy }: ExportQuestion<T>,
  {
    query,
    texts,
    personal,
  }: { readonly query: Query<T>; readonly texts: ParameterTexts; readonly personal: PersonalData },
): TE.TaskEither<QueryFailure, AskedExport> => {
  const { request, position, asOf } = askedBy(query, { texts, personal, calendar, matchDueDays, now: now() });
  return pipe(
    positionParameter(store, position),
    TE.map((included) => ({ request, included, asOf })),
  );
};
