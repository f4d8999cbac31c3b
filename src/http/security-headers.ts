import helmet from 'koa-helmet';
import type { ApiMiddleware } from './api-context.ts';

/**
 * Answers to deliveries get no such headers: no browser reads them, and they would be a twentieth of a delivery's cost.
 */
const DELIVERIES = '/v1/webhooks';

/**
 * Headers that tell browsers about every answer but those to deliveries: run nothing of it, put it in no frame, don't
 * guess its type, show it to no other site. A page that loads something sets a policy of its own after this.
 * Strict-Transport-Security is for this host name only: others of the domain may belong to somebody else.
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
