import * as t from 'io-ts';
import { DecimalText, type Decimal } from './decimal.ts';
import { oneOf } from './guarded.ts';

/** What the match is configured with; items are made anew where any of it changes (docs/spec/match.md, Settings). */
export type MatchSettings = {
  /** By currency in upper case, `*` for all others: how far amounts may be apart. None: they must be equal. */
  readonly tolerances: Readonly<Record<string, Decimal>>;
  /** How many days a line's day may be from the order's. */
  readonly dateToleranceDays: number;
  /** Whether the bank pays out an off-ramp order's `fiat`, or what is left of it after tds and commission. */
  readonly offRampFiat: 'net' | 'gross';
};

export const USUAL_MATCH_SETTINGS: MatchSettings = { tolerances: {}, dateToleranceDays: 3, offRampFiat: 'net' };

/** The codec of settings that are handed to a thread. */
export const MatchSettingsData: t.Type<MatchSettings> = t.type({
  tolerances: t.record(t.string, DecimalText),
  dateToleranceDays: t.number,
  offRampFiat: oneOf('meaning of fiat', ['net', 'gross'] as const),
});
