import type { ApiState } from './api-context.ts';

/**
 * Whether somebody has proved anything by a request: a valid key or session, or the signature of a delivery. Lines about
 * others are bounded (docs/operating.md, Log lines), since anybody can cause them.
 */
export const isProved = ({ apiKeyId, proved }: ApiState): boolean => apiKeyId !== undefined || proved === true;
