/**
 * The two directions of the provider's service (docs/spec/provider.md, The service): fiat → crypto and crypto → fiat.
 */
export type Flow = 'onramp' | 'offramp';

export const FLOWS: readonly Flow[] = ['onramp', 'offramp'];
