import type { ApiContext } from '../http/api-context.ts';

/** What the console's frame stands on, beside its pages. */
export type ConsoleSettings = {
  /** The origin that browsers see behind a proxy; null where it is not said. */
  readonly publicUrl: string | null;
  /** Whether a host name is of this machine only, so that no TLS is needed to reach it. */
  readonly isLoopback: (host: string) => boolean;
};

/** Whether nothing but TLS may carry the console's cookies: behind a proxy that is named, and everywhere but on a loopback host. */
export const goesOverTls =
  ({ publicUrl, isLoopback }: ConsoleSettings) =>
  (ctx: Pick<ApiContext, 'hostname'>): boolean =>
    publicUrl !== null || !isLoopback(ctx.hostname);

/** Where the console answers, as its user sees it. Behind a proxy that ends TLS, only the host name is what the user sees. */
export const originOf = (
  ctx: Pick<ApiContext, 'hostname' | 'get'>,
  { publicUrl, isLoopback }: ConsoleSettings,
): string => publicUrl ?? `${isLoopback(ctx.hostname) ? 'http' : 'https'}://${ctx.get('Host')}`;
