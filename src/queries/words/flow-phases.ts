import type { Flow } from '../../domain/flow.ts';
import type { Phase } from '../../domain/status.ts';

/** The parts of what was asked for, in the order of the contract; a flow has no column that stays empty. */
export const FLOW_PHASES: Readonly<Record<Flow, readonly Phase[]>> = {
  onramp: ['settled', 'refunded', 'refunding', 'expired', 'open'],
  offramp: ['settled', 'refunded', 'deemed', 'failed', 'open'],
};
