import helmet from 'koa-helmet';
import type { ApiMiddleware } from './api-context.ts';
import { DELIVERIES_PATH } from './deliveries-path.ts';

/**
 * Headers that tell browsers about every answer but those to deliveries: run nothing of it, put it in no frame, don't
 * guess its type, show it to no other site. A page that loads something sets a policy of its own after this.
 * Strict-Transport-Security is for this host name only: others of the domain may belong to somebody else. No browser reads
 * answers to deliveries, of whose cost they would be a twentieth.
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
    await (ctx.path === DELIVERIES_PATH ? next() : set(ctx, next));
  };
};
