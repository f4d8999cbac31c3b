import type { Flow } from '../../domain/flow.ts';

/** What each flow is called. */
export const FLOW_WORDS: Readonly<Record<Flow, string>> = { onramp: 'On-ramp', offramp: 'Off-ramp' };
