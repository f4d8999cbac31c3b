import type { ApiContext } from './api-context.ts';

/** Headers by which proxies say for whom, or through whom, they ask. */
const OF_PROXIES = [
  'Forwarded',
  'Via',
  'X-Forwarded-For',
  'X-Forwarded-Host',
  'X-Forwarded-Proto',
  'X-Real-IP',
] as const;

/**
 * Whether a request to a ledger that listens on loopback is for somebody on this machine, as far as it shows: no proxy passed
 * it on, and it asks under a name of this machine. What is open on loopback is open to such requests alone.
 *
 * @param isLoopback whether a host name is of this machine only
 */
export const isFromThisMachine = (
  ctx: Pick<ApiContext, 'get' | 'hostname'>,
  isLoopback: (hostname: string) => boolean,
): boolean => OF_PROXIES.every((name) => ctx.get(name) === '') && (ctx.hostname === '' || isLoopback(ctx.hostname));
