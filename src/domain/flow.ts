/** The two directions of the provider's service (interface.md, What the service does): fiat → crypto and crypto → fiat. */
export type Flow = 'onramp' | 'offramp';

export const FLOWS: readonly Flow[] = ['onramp', 'offramp'];
