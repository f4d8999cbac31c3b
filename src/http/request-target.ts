import { isPlainHost } from './plain-host.ts';

/**
 * The target of a request as a path with its query, `/v1/orders?limit=1`; null where it names nothing that can be asked
 * for. A target that names a host (RFC 9112, 3.2.2) is answered like its path, and nothing else of it is kept: it may
 * hold a password. `*` asks nothing of this server, and a fragment is never sent.
 */
export const pathOfTarget = (target: string): string | null => {
  if (/[\s#\\]/.test(target)) return null;
  if (target.startsWith('/')) return target;
  const authority = /^https?:\/\/([^/?]+)/i.exec(target)?.[1];
  if (authority === undefined || !isPlainHost(authority.slice(authority.lastIndexOf('@') + 1))) return null;
  const url = URL.parse(target);
  return url === null ? null : `${url.pathname}${url.search}`;
};
