import type { Flow } from './flow.ts';

/** On-ramp statuses in their precedence: the highest that occurred is shown (docs/spec/domain.md, Order state). */
export const ON_RAMP_STATUSES = [
  'fiatPending',
  'expired',
  'orderReceived',
  'InProgress',
  'fiatReceived',
  'transferred',
  'completed',
  'refunding',
  'refunded',
] as const;

/** Off-ramp statuses in their precedence; `completed` is the sample's, which the interface does not list as an event. */
export const OFF_RAMP_STATUSES = [
  'pending',
  'orderReceived',
  'InProgress',
  'CryptoReceived',
  'completed',
  'fiatDeemed',
  'fiatFailed',
  'PayoutSuccess',
  'refunded',
] as const;

export type OnRampStatus = (typeof ON_RAMP_STATUSES)[number];

export type OffRampStatus = (typeof OFF_RAMP_STATUSES)[number];

/** Where an order stands with its money (docs/spec/domain.md, Phases). */
export const PHASES = ['open', 'settled', 'deemed', 'failed', 'refunding', 'refunded', 'expired'] as const;

export type Phase = (typeof PHASES)[number];

const RANKS: Readonly<Record<Flow, ReadonlyMap<string, number>>> = {
  onramp: new Map(ON_RAMP_STATUSES.map((status, rank) => [status, rank])),
  offramp: new Map(OFF_RAMP_STATUSES.map((status, rank) => [status, rank])),
};

/** Precedence of a status in its flow, from 0; -1 for an unlisted one, which is below all listed ones. */
export const rankOf = (flow: Flow, status: string): number => RANKS[flow].get(status) ?? -1;

export const isListed = (flow: Flow, status: string): boolean => RANKS[flow].has(status);

const PHASE_OF_STATUS: Readonly<Record<Flow, Readonly<Partial<Record<string, Phase>>>>> = {
  onramp: { completed: 'settled', expired: 'expired', refunding: 'refunding', refunded: 'refunded' },
  offramp: { PayoutSuccess: 'settled', fiatDeemed: 'deemed', fiatFailed: 'failed', refunded: 'refunded' },
};

/**
 * Phase by shown status (docs/spec/domain.md, Phases); unlisted statuses and the off-ramp sample's `completed` are
 * open.
 */
export const phaseOf = (flow: Flow, status: string): Phase =>
  Object.hasOwn(PHASE_OF_STATUS[flow], status) ? (PHASE_OF_STATUS[flow][status] ?? 'open') : 'open';
