import { CHECK_NAMES, type CheckName } from '../periods/readiness-check.ts';

const WORDS: Readonly<Record<CheckName, string>> = {
  'month-over': 'The month is over',
  'earlier-closed': 'All earlier months are closed',
  spool: 'No delivery waits for the event store',
  'read-models': 'Lists and reports include the whole log',
  quarantine: 'Every delivery could be read',
  'clock-anomalies': 'No order is unpaid or unconfirmed for too long',
  match: 'No bank line or payout is unmatched',
};

/** A check as people call it; an old close may have had others. */
export const checkWords = (name: string): string => {
  const known = CHECK_NAMES.find((one) => one === name);
  return known === undefined ? name : WORDS[known];
};
