import type { SandboxContext } from './sandbox-context.ts';

const REFUSALS = {
  400: { code: 'invalid-request', title: 'Invalid request' },
  401: { code: 'unauthorized', title: 'Unauthorized' },
  404: { code: 'not-found', title: 'Not found' },
  405: { code: 'method-not-allowed', title: 'Method not allowed' },
  413: { code: 'body-too-large', title: 'Body too large' },
  415: { code: 'unsupported-media-type', title: 'Unsupported media type' },
  500: { code: 'internal-error', title: 'Internal error' },
} as const;

/** Answers with JSON. */
export const sendJson = (ctx: SandboxContext, body: object): void => {
  ctx.status = 200;
  ctx.set('Cache-Control', 'no-store');
  ctx.body = JSON.stringify(body);
  ctx.type = 'application/json';
};

/** Answers with a file. */
export const sendText = (ctx: SandboxContext, type: string, text: string): void => {
  ctx.status = 200;
  ctx.set('Cache-Control', 'no-store');
  ctx.body = text;
  ctx.type = `${type}; charset=utf-8`;
};

/**
 * Answers with a problem (RFC 9457). docs/spec/provider.md does not show how the provider words its errors; this one
 * says what is wrong in one line.
 */
export const sendRefusal = (ctx: SandboxContext, status: keyof typeof REFUSALS, detail: string): void => {
  ctx.status = status;
  ctx.set('Cache-Control', 'no-store');
  if (status === 401) ctx.set('WWW-Authenticate', 'Bearer');
  const { code, title } = REFUSALS[status];
  ctx.body = JSON.stringify({ type: `urn:ramp-ledger:sandbox:problem:${code}`, title, status, detail, code });
  ctx.type = 'application/problem+json';
};
