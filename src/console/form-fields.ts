import type { Context } from 'koa';
import type { ApiContext } from '../http/api-context.ts';

/** The largest form is a search. */
const MOST_BYTES = 16_384;

const OPTIONS = {
  urlencoded: true,
  json: false,
  text: false,
  multipart: false,
  formLimit: MOST_BYTES,
  onError: (_: Error, ctx: Context) => {
    // What is left of a body that is not read would be taken for the next request.
    ctx.set('Connection', 'close');
  },
} as const;

/** The fields of a form, each once; a body that is no form has none. */
export const formFields = async (ctx: ApiContext): Promise<ReadonlyMap<string, string>> => {
  const fields = new Map<string, string>();
  // Loaded with the first form: it takes a fifth of what all else takes to start.
  const { koaBody } = await import('koa-body');
  await koaBody(OPTIONS)(ctx, () => Promise.resolve());
  const body: unknown = Reflect.get(ctx.request, 'body');
  if (typeof body !== 'object' || body === null) return fields;
  for (const [name, value] of Object.entries(body)) if (typeof value === 'string') fields.set(name, value);
  return fields;
};
