import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import { msLeft, type AccessToken } from './access-token.ts';
import { authorisedCall, noToken } from './authorised-call.ts';
import { withDeadline, type Deadline } from './deadline.ts';
import { CALL_MS, type Method, type UpstreamAnswer } from './exchange.ts';
import type { TokenSource } from './obtain-token.ts';
import { JSON_BODY, OWN_HEADERS } from './token-requests.ts';
import { tokenService } from './token-service.ts';
import type { UpstreamError } from './upstream-error.ts';
import { upstreamUrl } from './upstream-url.ts';

/** A call to a user endpoint. */
type UpstreamCall = {
  readonly method: Method;
  /** Below the base URL, with its query string. */
  readonly path: string;
  /** A JSON text, sent as it stands; null: no body. */
  readonly data: string | null;
};

/** A token, and for how many milliseconds it is good. */
export type TokenLeft = { readonly token: AccessToken; readonly msLeft: number };

/** The provider, called as the configured user. Each call ends within 10 s, logins and repetitions included. */
export type Upstream = {
  /** The token that a call would carry now. */
  readonly token: TE.TaskEither<UpstreamError, TokenLeft>;
  /**
   * Answers what the provider answers, redirects and errors among it, except for 401: then it goes on with refresh,
   * call, login, call (docs/spec/command-line.md, Calls to the provider).
   */
  readonly call: (call: UpstreamCall) => TE.TaskEither<UpstreamError, UpstreamAnswer>;
  /** Breaks off what is under way. */
  readonly close: () => void;
};

/** Opens the provider; nothing is sent before the first call. */
export const upstream = (source: TokenSource): Upstream => {
  const { account, exchange, timing } = source;
  const tokens = tokenService(source);
  const closing = new AbortController();

  const inTime = <A>(work: (deadline: Deadline) => Promise<A>): Promise<A> =>
    withDeadline(timing, CALL_MS, closing.signal, work);

  return {
    token: () =>
      inTime(async (deadline) => {
        const obtained = await tokens.current(deadline);
        if (E.isLeft(obtained)) return E.left(noToken(obtained.left.steps));
        const { token } = obtained.right;
        return E.right({ token, msLeft: msLeft(token, timing) });
      }),
    call:
      ({ method, path, data }) =>
      async () => {
        const url = upstreamUrl(account.baseUrl, path);
        if (E.isLeft(url)) return url;
        const headers = { ...OWN_HEADERS, ...(data === null ? {} : JSON_BODY) };
        const request = { method, url: url.right, headers, body: data };
        return inTime((deadline) => authorisedCall({ tokens, exchange, timing }, request, deadline));
      },
    close: () => {
      closing.abort();
      tokens.close();
    },
  };
};
