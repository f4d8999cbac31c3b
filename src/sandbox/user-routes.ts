import { Router } from '@koa/router';
import * as E from 'fp-ts/lib/Either.js';
import type { JsonObject } from '../domain/json.ts';
import { CLIENT_ID, type AccessTokens, type Claims, type TokenRefusal } from './access-tokens.ts';
import { withJsonObject } from './json-request.ts';
import { sendJson, sendRefusal } from './replies.ts';
import type { SandboxContext, SandboxMiddleware, SandboxRouter } from './sandbox-context.ts';

const BEARER = /^Bearer +(\S+)$/i;

/** Whether a token of the caller's is fit, by a reading of it. */
type Read = (token: string) => Promise<E.Either<TokenRefusal, Claims>>;

const withToken =
  (read: Read, handle: (ctx: SandboxContext, claims: Claims) => Promise<void> | void): SandboxMiddleware =>
  async (ctx) => {
    const [, token] = BEARER.exec(ctx.get('Authorization')) ?? [];
    if (token === undefined) {
      sendRefusal(ctx, 401, 'expected the header Authorization: Bearer <ACCESS_TOKEN>');
      return;
    }
    const claims = await read(token);
    if (E.isLeft(claims)) sendRefusal(ctx, 401, claims.left.detail);
    else await handle(ctx, claims.right);
  };

const profile = ({ sub, tenant_id: tenantId }: Claims): JsonObject => ({
  id: sub,
  email: `user.${sub.slice(-6).toLowerCase()}@example.com`,
  tenantId,
  clientId: CLIENT_ID,
});

/**
 * The provider's endpoints for users (docs/spec/provider.md, Login and refresh), and the keys that its tokens verify
 * with.
 */
export const userRoutes = (tokens: AccessTokens, orders: () => readonly JsonObject[]): SandboxRouter => {
  const router = new Router({ sensitive: true });
  router.post(
    '/v1/users/login',
    withJsonObject(async (ctx, credentials) => sendJson(ctx, { accessToken: await tokens.login(credentials) })),
  );
  router.get(
    '/v1/users/refresh-token',
    withToken(tokens.read, async (ctx, claims) => sendJson(ctx, { accessToken: await tokens.renew(claims) })),
  );
  router.get(
    '/v1/users/me',
    withToken(tokens.readFresh, (ctx, claims) => sendJson(ctx, profile(claims))),
  );
  router.get(
    '/v1/orders',
    withToken(tokens.readFresh, (ctx) => sendJson(ctx, { data: orders() })),
  );
  router.get('/.well-known/jwks.json', (ctx) => sendJson(ctx, tokens.keySet));
  return router;
};
