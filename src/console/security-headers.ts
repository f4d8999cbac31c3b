import type { ApiContext } from '../http/api-context.ts';

/** The headers of every page: only its own files are loaded, nobody frames it, and no cache keeps it. */
export const setSecurityHeaders = (ctx: ApiContext, nonce: string): void => {
  ctx.set({
    'Content-Security-Policy': [
      "default-src 'none'",
      `script-src 'nonce-${nonce}'`,
      "style-src 'self'",
      "img-src 'self'",
      "connect-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'Cache-Control': 'private, no-store',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
    // Not `no-referrer`, under which browsers say of their own forms that they come from nowhere (`Origin: null`).
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
  });
};
