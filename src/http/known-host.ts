import type { ApiMiddleware } from './api-context.ts';
import { problem, sendProblem } from './problem.ts';
import { isPlainHost } from './plain-host.ts';
import { isForDeliveries } from './deliveries-path.ts';

/** By which names a ledger is reached. */
export type KnownHosts = {
  /** The origin that browsers see (`https://ledger.example`); null where it is not said. */
  readonly publicUrl: string | null;
  /** Whether it listens where this machine alone can reach it. */
  readonly listensOnLoopback: boolean;
  /** Whether a host name is of this machine only. */
  readonly isLoopback: (hostname: string) => boolean;
};

/** Answered under any name: a provider or a probe is no browser, and a delivery is proved by its signature. */
const isUnderAny = (path: string): boolean => path === '/livez' || path === '/readyz' || isForDeliveries(path);

/** Routes for programs, whose key no other site's page has. */
const isForPrograms = (path: string): boolean => path.startsWith('/v1/') || path === '/metrics';

/** Those are answered without a key on a loopback host, as the description of the interface always is. */
const isPage = (path: string): boolean =>
  !isForPrograms(path) && path !== '/openapi.json' && path !== '/docs' && !path.startsWith('/docs/');

/** What begins another part of a URL: read behind a scheme, `evil.example@localhost` would be taken for `localhost`. */
const BEYOND_HOST = /[@/?#\\]/;

/** A `Host` header read as the host of a URL; null where it is more than a host with its port, or none. */
const urlOfHost = (scheme: 'http' | 'https', host: string): URL | null =>
  isPlainHost(host) && !BEYOND_HOST.test(host) ? URL.parse(`${scheme}://${host}`) : null;

/** The name in a `Host` header, without its port; null where it is none. */
const hostnameOf = (host: string): string | null => urlOfHost('http', host)?.hostname ?? null;

/**
 * Whether a request that names a host is meant for this ledger. A page of another site can have its own name lead to this
 * machine (DNS rebinding), and would be answered as a page of the ledger's; it can't send another name than its own.
 *
 * @param host the header as it came; empty where there is none, as no browser sends it
 */
export const isKnownHost = (
  { publicUrl, listensOnLoopback, isLoopback }: KnownHosts,
  path: string,
  host: string,
): boolean => {
  if (isUnderAny(path) || host === '') return true;
  if (publicUrl !== null && urlOfHost('https', host)?.origin === publicUrl) return true;
  if (!listensOnLoopback) return publicUrl === null || isForPrograms(path);
  const hostname = hostnameOf(host);
  // Its cookies are for the public address, so that a page could not be used under another one.
  return hostname !== null && isLoopback(hostname) && (publicUrl === null || !isPage(path));
};

const detailOf = ({ publicUrl }: KnownHosts): string =>
  publicUrl === null
    ? 'this ledger answers on this machine only, by names such as localhost; set PUBLIC_URL to where browsers reach it'
    : `this ledger is reached at ${publicUrl} (PUBLIC_URL)`;

/** Answers 400 `wrong-host` to what names a host that is not this ledger's (docs/spec/http.md, Host). */
export const knownHost = (hosts: KnownHosts): ApiMiddleware => {
  const wrong = problem('wrong-host', detailOf(hosts));
  return async (ctx, next) => {
    if (isKnownHost(hosts, ctx.path, ctx.get('Host'))) await next();
    else sendProblem(ctx, wrong);
  };
};
