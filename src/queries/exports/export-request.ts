import type { Instant } from '../../domain/instant.ts';
import type { MatchChoice } from '../../read-models/match-questions.ts';
import type { OrderFilter } from '../../read-models/order-filter.ts';
import type { AsOf, AuditFilter } from '../../read-models/read-models.ts';
import type { PersonalData } from '../masking/personal-data.ts';

/** What can be exported (docs/spec/http.md, Exports). */
export const EXPORT_KINDS = ['orders', 'events', 'audit', 'reconciliation'] as const;

export type ExportKind = (typeof EXPORT_KINDS)[number];

/** The formats of each kind. Only orders and items of the match have amounts and counts, which a workbook holds as numbers. */
export const EXPORT_FORMATS = {
  orders: ['csv', 'ndjson', 'xlsx'],
  events: ['csv', 'ndjson'],
  audit: ['csv', 'ndjson'],
  reconciliation: ['csv', 'ndjson', 'xlsx'],
} as const;

export type ExportFormat = 'csv' | 'ndjson' | 'xlsx';

/** What every export is asked with. */
export type ExportTerms = {
  readonly format: ExportFormat;
  readonly personal: PersonalData;
  /** What was asked for, by parameter, for the manifest. */
  readonly filters: Readonly<Record<string, string>>;
  /** The business time zone, which the days of filters are of. */
  readonly timeZone: string;
  /** The clock that decides anomalies of orders. */
  readonly now: Instant;
};

/** What an export is of. Plain data throughout, so that it can be handed to a thread. */
export type ExportRequest = ExportTerms &
  (
    | {
        readonly kind: 'orders';
        readonly filter: OrderFilter;
        /** Absent: what is known when the export is opened. */
        readonly asOf?: AsOf;
      }
    | {
        readonly kind: 'reconciliation';
        readonly choice: MatchChoice;
        /** How many days a settled order is expected before it is missed. */
        readonly dueDays: number;
      }
    | {
        readonly kind: 'events' | 'audit';
        readonly filter: AuditFilter;
        readonly q: string | null;
        /** Whether the verdict on each event is a column too. */
        readonly verify: boolean;
      }
  );

/** Equal for requests that ask for the same, whenever they were made. */
export const requestKey = ({ now: _moment, filters: _spelling, ...request }: ExportRequest): string =>
  JSON.stringify(request);
