import * as t from 'io-ts';
import type { Position } from '../../domain/ids.ts';
import type { Instant } from '../../domain/instant.ts';
import { described } from '../../openapi/described.ts';
import { amount, count, instant, instantOrNull, oneOfWords, sha256, text, textOrNull } from '../resources/values.ts';
import { EXPORT_KINDS, type ExportFormat, type ExportRequest } from './export-request.ts';
import type { CurrencySum } from './export-sums.ts';

/** What a file is of, and what it must come to (docs/spec/finance.md, Reports and exports). */
export type ExportManifest = {
  readonly request: ExportRequest;
  /** The last event that is included; null before the first. */
  readonly position: Position | null;
  /** When that event was recorded. */
  readonly recordedAt: Instant | null;
  readonly rows: number;
  readonly bytes: number;
  /** Of all bytes of the file, as 64 hex digits. */
  readonly sha256: string;
  readonly sums: readonly CurrencySum[];
};

const Sum = t.strict(
  {
    currency: text('The rows of this currency.'),
    rows: count('How many they are.'),
    fiat: amount('Their fiat amounts.'),
    commission: amount('Their commissions.'),
    tds: amount('Their TDS.'),
  },
  'ExportSum',
);

/** A manifest as callers see it. */
export const ExportManifestResource = t.strict(
  {
    export: oneOfWords(EXPORT_KINDS, 'What the file is of.'),
    format: oneOfWords<ExportFormat>(['csv', 'ndjson', 'xlsx'], 'The form of the file.'),
    personalData: oneOfWords(['shown', 'masked'], 'Whether personal data is in it.'),
    filters: described(t.record(t.string, t.string), 'The filters that were asked with, as they came.'),
    timeZone: text('The business time zone, which the days of filters are of.'),
    position: textOrNull('The last event that is included; null before the first.'),
    recordedAt: instantOrNull('When it was recorded.'),
    askedAt: instant('What the clock decides of an order it decides as of then.'),
    rows: count('Rows of the file, without that of the names.'),
    bytes: count('Bytes of the file.'),
    sha256: sha256('Of all bytes of the file.'),
    sums: described(t.readonlyArray(Sum), 'One for each currency; none for the audit trail.'),
  },
  'ExportManifest',
);

export type ExportManifestResource = t.TypeOf<typeof ExportManifestResource>;

export const manifestResource = ({ request, ...found }: ExportManifest): ExportManifestResource => ({
  export: request.kind,
  format: request.format,
  personalData: request.personal === 'shown' ? 'shown' : 'masked',
  filters: request.filters,
  timeZone: request.timeZone,
  position: found.position,
  recordedAt: found.recordedAt,
  askedAt: request.now,
  rows: found.rows,
  bytes: found.bytes,
  sha256: found.sha256,
  sums: found.sums.map(({ currency, rows, fiat, commission, tds }) => ({ currency, rows, fiat, commission, tds })),
});
