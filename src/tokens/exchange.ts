import type * as TE from 'fp-ts/lib/TaskEither.js';

/** The methods that a call may have. */
export const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export type Method = (typeof METHODS)[number];

/** One HTTP request. Its headers and its body may hold secrets. */
export type UpstreamRequest = {
  readonly method: Method;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
};

/** An answer of any status, 401, redirects and 5xx among them. */
export type UpstreamAnswer = {
  readonly status: number;
  /** The header `Retry-After`, as it came. */
  readonly retryAfter: string | null;
  /** Unpacked. */
  readonly body: Buffer;
};

/** Why there is no answer. No detail holds an address, a header or a part of a body. */
export type ExchangeError =
  | { readonly _tag: 'TimedOut' }
  /** No connection, or one that broke off; `detail` is the system's code: `ECONNREFUSED`. */
  | { readonly _tag: 'Unreachable'; readonly detail: string }
  | { readonly _tag: 'AnswerTooLarge' }
  /** What came can't be read or unpacked. */
  | { readonly _tag: 'AnswerGarbled'; readonly detail: string };

/** Sends one request, once, or nothing where the signal is aborted already; follows no redirect, and ends soon after an abortion. */
export type Exchange = (request: UpstreamRequest, signal: AbortSignal) => TE.TaskEither<ExchangeError, UpstreamAnswer>;

/**
 * How long a call may take in all, and so may a login or refresh (docs/spec/command-line.md, Calls to the provider).
 */
export const CALL_MS = 10_000;
