import Koa from 'koa';
import { controlRoutes, type ControlDeps } from './control-routes.ts';
import { moneyRoutes, type MoneyDeps } from './money/money-routes.ts';
import { sendRefusal } from './replies.ts';
import { userRoutes } from './user-routes.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { SandboxMiddleware, SandboxRouter } from './sandbox-context.ts';

export type SandboxApplicationDeps = ControlDeps &
  MoneyDeps & {
    readonly tokens: AccessTokens;
    /** Whether a `Host` header is of this machine, where nobody else reaches it: what another site's page asks is not for it. */
    readonly isKnownHost: (host: string) => boolean;
    /** Told of what nobody expected. */
    readonly onError: (error: unknown) => void;
  };

const unexpected =
  (onError: (error: unknown) => void): SandboxMiddleware =>
  async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      onError(error);
      sendRefusal(ctx, 500, 'something went wrong here');
    }
  };

/** It signs what it is asked to: a page whose own name leads to this machine could have it sign a payout (DNS rebinding). */
const known =
  (isKnownHost: SandboxApplicationDeps['isKnownHost']): SandboxMiddleware =>
  (ctx, next) =>
    isKnownHost(ctx.get('Host'))
      ? next()
      : sendRefusal(ctx, 400, 'the sandbox answers on this machine only, by names such as localhost');

const unmatched =
  (routers: readonly SandboxRouter[]): SandboxMiddleware =>
  (ctx) => {
    const layers = routers.flatMap((router) => router.match(ctx.path, ctx.method).path);
    const allowed = [...new Set(layers.flatMap(({ methods }) => methods))].toSorted();
    if (allowed.length === 0) return sendRefusal(ctx, 404, 'there is nothing at this address');
    ctx.set('Allow', allowed.join(', '));
    return sendRefusal(ctx, 405, `this address answers ${allowed.join(', ')} only`);
  };

/** The sandbox's HTTP interface: the provider's endpoints, and those that control it. */
export const sandboxApplication = (deps: SandboxApplicationDeps): Koa => {
  const app = new Koa();
  app.on('error', deps.onError);
  const routers = [userRoutes(deps.tokens, () => deps.sandbox.orders.list()), controlRoutes(deps), moneyRoutes(deps)];
  app.use(unexpected(deps.onError));
  app.use(known(deps.isKnownHost));
  for (const router of routers) app.use(router.routes());
  app.use(unmatched(routers));
  return app;
};
