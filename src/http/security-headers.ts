import helmet from 'koa-helmet';
import type { ApiMiddleware } from './api-context.ts';

/** Where deliveries come in: no browser reads these answers, and a twentieth of a delivery's cost would be theirs. */
const DELIVERIES = '/v1/webhooks';

/**
 * What browsers are told about every answer but those to deliveries: nothing in it is run, framed, guessed at or shown to another site. A page
 * says for itself, behind this, what it may load. Host names beside this one are nobody's business here, so Strict-Transport-Security
 * leaves them out.
 */
export const securityHeaders = (): ApiMiddleware => {
  const set: ApiMiddleware = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: { includeSubDomains: false },
    xFrameOptions: { action: 'deny' },
  });
  return async (ctx, next) => {
    await (ctx.path === DELIVERIES ? next() : set(ctx, next));
  };
};
