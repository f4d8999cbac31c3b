import * as E from 'fp-ts/lib/Either.js';
import type { AccessToken } from './access-token.ts';
import type { Deadline } from './deadline.ts';
import type { Exchange, ExchangeError, Method, UpstreamAnswer, UpstreamRequest } from './exchange.ts';
import type { Steps } from './steps.ts';
import type { Timing } from './timing.ts';
import { bearer } from './token-requests.ts';
import type { NoToken, Obtained, TokenService } from './token-service.ts';
import type { UpstreamError } from './upstream-error.ts';
import { withRetries } from './with-retries.ts';

/** What an authorised call stands on. */
export type CallDeps = { readonly tokens: TokenService; readonly exchange: Exchange; readonly timing: Timing };

type Failable<A> = Promise<E.Either<UpstreamError, A>>;

/** What a rejected token is replaced by, in turn (docs/spec/command-line.md, Calls to the provider). */
const RENEWALS = ['refresh', 'login'] as const;
const UNAUTHORISED = 401;
/** Methods that change nothing, so that a request which may have arrived can be sent again (RFC 9110, 9.2.1). */
const SAFE: ReadonlySet<Method> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The outcome of steps that came to no token. */
export const noToken = (steps: Steps): UpstreamError => ({ _tag: 'NoToken', code: 'upstream-no-token', steps });

/** An answer, and the token that it was given to. */
type Called = { readonly answer: UpstreamAnswer; readonly token: AccessToken };

/** Sends a request with a token, again where that is safe; then with the token that is current after the pause. */
const sendWith = async (
  { tokens, exchange, timing }: CallDeps,
  request: UpstreamRequest,
  first: AccessToken,
  deadline: Deadline,
): Promise<E.Either<NoToken | ExchangeError, Called>> => {
  let token = first;
  const attempt = async (number: number): Promise<E.Either<NoToken | ExchangeError, UpstreamAnswer>> => {
    const obtained: E.Either<NoToken, Obtained> | null = number === 0 ? null : await tokens.current(deadline);
    if (obtained !== null) {
      if (E.isLeft(obtained)) return obtained;
      token = obtained.right.token;
    }
    const headers = { ...request.headers, ...bearer(token.text.reveal()) };
    return deadline.inTime(
      exchange({ ...request, headers }, deadline.signal)(),
      E.left<ExchangeError>({ _tag: 'TimedOut' }),
    );
  };
  const answer = SAFE.has(request.method) ? await withRetries(timing, deadline, attempt) : await attempt(0);
  return E.map((given: UpstreamAnswer) => ({ answer: given, token }))(answer);
};

/** Sends a request with a token, and after a 401 with what replaces it. The error says what happened at each step. */
export const authorisedCall = async (
  deps: CallDeps,
  request: UpstreamRequest,
  deadline: Deadline,
): Failable<UpstreamAnswer> => {
  const callWith = async (
    obtained: E.Either<NoToken, Obtained>,
    before: Steps,
    [renewal, ...later]: readonly (typeof RENEWALS)[number][],
  ): Failable<UpstreamAnswer> => {
    if (E.isLeft(obtained)) return E.left(noToken([...before, ...obtained.left.steps]));
    const steps = [...before, ...obtained.right.steps];
    const called = await sendWith(deps, request, obtained.right.token, deadline);
    if (E.isLeft(called)) {
      return E.left(
        called.left._tag === 'NoToken'
          ? noToken([...steps, ...called.left.steps])
          : {
              _tag: 'CallFailed',
              code: 'upstream-call-failed',
              steps: [...steps, { step: 'call', failure: called.left }],
            },
      );
    }
    const { answer, token } = called.right;
    if (answer.status !== UNAUTHORISED) return E.right(answer);
    const rejected: Steps = [...steps, { step: 'call', failure: { _tag: 'Answered', status: UNAUTHORISED } }];
    // A refresh that failed was followed by a login already.
    if (renewal === undefined || (renewal === 'login' && token.by === 'login')) {
      return E.left({ _tag: 'Unauthorised', code: 'upstream-unauthorised', steps: rejected, answer });
    }
    return callWith(await deps.tokens.renew(token, renewal, deadline), rejected, later);
  };
  return callWith(await deps.tokens.current(deadline), [], RENEWALS);
};
