import type { Anomaly } from '../../../projections/order-state/index.ts';

type Code = Anomaly['code'];

type Words = {
  /** A short name. */
  readonly name: string;
  /** What it means for the money, and what to do. */
  readonly sentence: string;
};

/** What each anomaly is called and means where somebody from finance reads it; its code stands beside it. */
export const ANOMALY_WORDS: Readonly<Record<Code, Words>> = {
  'second-payout': {
    name: 'Paid out twice',
    sentence:
      'Two payouts with different UTRs succeeded. The customer may have been paid twice: look for both at the bank.',
  },
  'payout-paid-and-failed': {
    name: 'Payout both paid and failed',
    sentence: 'The provider reported one payout as paid and as failed. Ask the bank which is true.',
  },
  'refunded-after-settlement': {
    name: 'Refunded after settlement',
    sentence:
      'The order was refunded although it had been completed or paid out. Ask the provider whether the money went both ways.',
  },
  'deemed-too-long': {
    name: 'Payout unconfirmed for over a day',
    sentence:
      'The bank has not confirmed the payout for more than a day. Ask the provider, with the UTR, whether it arrived.',
  },
  overdue: {
    name: 'Unpaid for over three hours',
    sentence:
      'The order still waits for its payment after more than three hours, and should have expired. A webhook may be missing.',
  },
  'progress-after-expiry': {
    name: 'Went on after it expired',
    sentence: 'The order had expired and went on all the same. It may have been paid late: compare it with the bank.',
  },
  'conflicting-delivery': {
    name: 'Contradicting webhooks',
    sentence: 'The provider sent the same event twice with different content. The first one counts; both are kept.',
  },
  'fact-changed': {
    name: 'Details changed',
    sentence:
      'An amount, token, wallet or customer differs between the events of the order. The latest step of the order counts.',
  },
  'sample-completed': {
    name: 'Completed, but not paid out',
    sentence: 'The provider called the order completed and has not confirmed a payout. It does not count as paid out.',
  },
  'unlisted-status': {
    name: 'Unknown status',
    sentence:
      'The provider sent a status that its documentation does not list. It changes nothing. Tell your engineers.',
  },
  'field-unreadable': {
    name: 'Unreadable field',
    sentence:
      'A field came in a form that cannot be read. It is shown as empty, and what came is kept. Tell your engineers.',
  },
};

/** Every anomaly, those first by which money may be lost. */
export const ANOMALY_CODES: readonly Code[] = [
  'second-payout',
  'payout-paid-and-failed',
  'refunded-after-settlement',
  'deemed-too-long',
  'overdue',
  'progress-after-expiry',
  'conflicting-delivery',
  'fact-changed',
  'sample-completed',
  'unlisted-status',
  'field-unreadable',
];
