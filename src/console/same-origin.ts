import type { ApiContext } from '../http/api-context.ts';
import { isPlainHost } from '../http/plain-host.ts';

/**
 * Whether a form was sent from a page of this console, as far as the browser says so: by Sec-Fetch-Site, else by Origin.
 * One that says nothing is left to the form's token.
 *
 * @param publicUrl the origin of the console's pages, where that is said: then both count
 */
export const isFromHere = (ctx: Pick<ApiContext, 'get'>, publicUrl: string | null): boolean => {
  const site = ctx.get('Sec-Fetch-Site');
  const origin = ctx.get('Origin');
  if (publicUrl !== null) return (site === '' || site === 'same-origin') && (origin === '' || origin === publicUrl);
  if (site !== '') return site === 'same-origin';
  if (origin === '') return true;
  const host = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)$/i.exec(origin)?.[1] ?? '';
  return isPlainHost(host) && URL.parse(origin)?.host === ctx.get('Host');
};
