import type { Flow } from '../../domain/flow.ts';
import type { OffRampStatus, OnRampStatus, Phase } from '../../domain/status.ts';

/** What each phase is called where somebody from finance reads it. */
export const PHASE_WORDS: Readonly<Record<Phase, string>> = {
  open: 'Open',
  settled: 'Settled',
  deemed: 'Unconfirmed',
  failed: 'Failed',
  refunding: 'Being refunded',
  refunded: 'Refunded',
  expired: 'Expired',
};

const ON_RAMP: Readonly<Record<OnRampStatus, string>> = {
  fiatPending: 'Awaiting payment',
  expired: 'Expired unpaid',
  orderReceived: 'Paid by the user',
  InProgress: 'Transfer under way',
  fiatReceived: 'Payment received',
  transferred: 'Tokens sent',
  completed: 'Completed',
  refunding: 'Being refunded',
  refunded: 'Refunded',
};

const OFF_RAMP: Readonly<Record<OffRampStatus, string>> = {
  pending: 'Awaiting crypto',
  orderReceived: 'Crypto sent by the user',
  InProgress: 'Swap under way',
  CryptoReceived: 'Crypto received',
  completed: 'Completed, not paid out',
  fiatDeemed: 'Payout unconfirmed',
  fiatFailed: 'Payout failed',
  PayoutSuccess: 'Paid out',
  refunded: 'Refunded',
};

const WORDS: Readonly<Record<Flow, ReadonlyMap<string, string>>> = {
  onramp: new Map(Object.entries(ON_RAMP)),
  offramp: new Map(Object.entries(OFF_RAMP)),
};

/** What a status of a flow is called; one that the provider does not list has no name. */
export const statusWords = (flow: Flow, status: string): string => WORDS[flow].get(status) ?? 'Unknown status';
