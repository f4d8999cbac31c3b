import * as E from 'fp-ts/lib/Either.js';
import type { Context } from 'koa';
import { isJsonObject, type JsonObject } from '../domain/json.ts';
import { parseBody } from '../domain/parse-json.ts';
import { sendRefusal } from './replies.ts';
import type { SandboxContext, SandboxMiddleware } from './sandbox-context.ts';

const MOST_BYTES = 262_144;

const statusOf = (error: Error): unknown => ('status' in error ? error.status : null);

const OPTIONS = {
  json: true,
  text: false,
  urlencoded: false,
  multipart: false,
  jsonStrict: false,
  jsonLimit: MOST_BYTES,
  // The text, so that numbers keep their digits: `JSON.parse` would lose some.
  includeUnparsed: true,
  onError: (error: Error, ctx: Context) => {
    // What is left of a body that is not read would be taken for the next request.
    ctx.set('Connection', 'close');
    if (statusOf(error) === 413) sendRefusal(ctx, 413, `a request has ${MOST_BYTES} bytes at the most`);
    else sendRefusal(ctx, 400, 'expected a JSON object');
  },
} as const;

/** A handler of requests with a JSON object in their body. */
export const withJsonObject =
  (handle: (ctx: SandboxContext, body: JsonObject) => Promise<void> | void): SandboxMiddleware =>
  async (ctx) => {
    // Loaded with the first request: starting takes long enough.
    const { koaBody } = await import('koa-body');
    await koaBody(OPTIONS)(ctx, async () => {
      // Refused already.
      if (ctx.body !== undefined && ctx.body !== null) return;
      const text: unknown = Reflect.get(ctx.request, 'rawBody');
      if (typeof text !== 'string') {
        sendRefusal(ctx, 415, 'expected a JSON object with content type application/json');
        return;
      }
      const parsed = parseBody(Buffer.from(text));
      if (E.isLeft(parsed) || !isJsonObject(parsed.right.value)) sendRefusal(ctx, 400, 'expected a JSON object');
      else await handle(ctx, parsed.right.value);
    });
  };
