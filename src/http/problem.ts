import type { ApiContext } from './api-context.ts';

/** Why a request is not answered as asked (contract.md, Asking; RFC 9457). */
export type Problem = {
  readonly status: number;
  /** Stable; what callers branch on. */
  readonly code: string;
  readonly title: string;
  /** For the caller: what is wrong and with what; no personal data. */
  readonly detail: string;
  readonly retryAfterSeconds?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** For the operator's log only. */
  readonly cause?: string;
};

/** How soon it is worth asking again, in seconds, when a store is away. */
export const RETRY_AFTER_SECONDS = 5;

/** The one place where a problem becomes a reply: `application/problem+json`. */
export const sendProblem = (ctx: ApiContext, problem: Problem): void => {
  const { status, code, title, detail, retryAfterSeconds, headers = {} } = problem;
  ctx.status = status;
  ctx.set({ ...headers, 'Cache-Control': 'private, no-store' });
  if (retryAfterSeconds !== undefined) ctx.set('Retry-After', String(retryAfterSeconds));
  const type = `urn:ramp-ledger:problem:${code}`;
  ctx.body = JSON.stringify({ type, title, status, detail, code, requestId: ctx.state.requestId });
  ctx.type = 'application/problem+json';
};

export const notFound = (detail: string): Problem => ({ status: 404, code: 'not-found', title: 'Not found', detail });
