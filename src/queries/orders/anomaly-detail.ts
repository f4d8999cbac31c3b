import type { Anomaly } from '../../../projections/order-state/index.ts';
import { maskedFact, maskedPath } from '../masking/masking.ts';
import type { PersonalData } from '../masking/personal-data.ts';
import { shownText } from '../masking/shown-text.ts';

/** What each anomaly is, without any value that came, so that it can be shown to anybody. */
const SUMMARIES: Readonly<Record<Anomaly['code'], (field: string) => string>> = {
  'refunded-after-settlement': () => 'a refund stands beside a settlement',
  'progress-after-expiry': () => 'progress stands beside expiry',
  'second-payout': () => 'payouts with different utrs succeeded',
  'payout-paid-and-failed': () => 'one payout succeeded and failed',
  'fact-changed': (field) => `${field} changed`,
  'conflicting-delivery': () => 'other facts were delivered for what was recorded already',
  'unlisted-status': () => 'a status that the interface does not list',
  'field-unreadable': (field) => `${field} is of another type than the interface says`,
  'sample-completed': () => 'completed, which PayoutSuccess has not confirmed',
  overdue: () => 'fiatPending for more than three hours',
  'deemed-too-long': () => 'fiatDeemed for more than a day',
};

/** Anomalies whose field is a member of what was delivered, and its values that member's: both may be personal. */
const isOfMember = (code: Anomaly['code']): boolean => code === 'fact-changed' || code === 'field-unreadable';

/** What an anomaly says, its values masked where they are personal. */
export const anomalyDetail = (
  { code, field, values }: Pick<Anomaly, 'code' | 'field' | 'values'>,
  personal: PersonalData,
): string => {
  const isMasked = personal !== 'shown' && isOfMember(code);
  const summary = SUMMARIES[code](isMasked ? maskedPath(field) : field);
  const shown = values.map((value) => (isMasked ? maskedFact(field, value) : shownText(value, personal)));
  return shown.length === 0 ? summary : `${summary}: ${shown.join(', ')}`;
};
