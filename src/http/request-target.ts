import { isPlainHost, isPlainUser } from './plain-host.ts';

/** A target that names a host: whoever is named there, the host with its port, and what is asked of it. */
const ABSOLUTE = /^https?:\/\/(?:([^/?]*)@)?([^/?@]+)([/?].*)?$/i;

/**
 * The target of a request as a path with its query, `/v1/orders?limit=1`; null where it names nothing that can be asked
 * for. A target that names a host (RFC 9112, 3.2.2) is answered like its path, as it came, and nothing else of it is kept: it
 * may hold a password. `*` asks nothing of this server, and a fragment is never sent. The host alone is given to a parser.
 */
export const pathOfTarget = (target: string): string | null => {
  if (/[\s#\\]/.test(target)) return null;
  if (target.startsWith('/')) return target;
  const [, user = '', host = '', path = ''] = ABSOLUTE.exec(target) ?? [];
  if (!isPlainUser(user) || !isPlainHost(host) || !URL.canParse(`http://${host}`)) return null;
  return path.startsWith('/') ? path : `/${path}`;
};

/**
 * The host, with its port, that a target names; null where it is a path, and of one that names nothing that can be asked for. It
 * counts in the place of the header `Host`, whatever that says (RFC 9112, 3.2.2).
 */
export const hostOfTarget = (target: string): string | null => {
  if (target.startsWith('/') || pathOfTarget(target) === null) return null;
  return ABSOLUTE.exec(target)?.[2] ?? null;
};
