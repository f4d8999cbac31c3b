import type { ApiContext } from '../http/api-context.ts';

/**
 * Whether a form was sent from a page of this console, as far as the browser says so: by Sec-Fetch-Site, else by Origin.
 * One that says nothing is left to the form's token.
 */
export const isFromHere = (ctx: ApiContext): boolean => {
  const site = ctx.get('Sec-Fetch-Site');
  if (site !== '') return site === 'same-origin';
  const origin = ctx.get('Origin');
  return origin === '' || (URL.canParse(origin) && new URL(origin).host === ctx.get('Host'));
};
