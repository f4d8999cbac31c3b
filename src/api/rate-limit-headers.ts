import { WINDOW_SECONDS, type Allowance } from '../access/query-limits.ts';

/** `RateLimit` and `RateLimit-Policy` as the HTTPAPI working group's draft has them: quota, window, what remains, seconds until then. */
export const rateLimitHeaders = ({
  perMinute,
  remaining,
  msBeforeNext,
}: Allowance): Readonly<Record<'RateLimit-Policy' | 'RateLimit', string>> => ({
  'RateLimit-Policy': `"key";q=${perMinute};w=${WINDOW_SECONDS}`,
  RateLimit: `"key";r=${remaining};t=${Math.ceil(msBeforeNext / 1000)}`,
});
