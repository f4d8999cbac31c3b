import * as E from 'fp-ts/lib/Either.js';
import { msLeft, type AccessToken } from './access-token.ts';
import { withDeadline, type Deadline } from './deadline.ts';
import { CALL_MS } from './exchange.ts';
import { obtainToken, type TokenSource } from './obtain-token.ts';
import type { Step, StepFailure, Steps } from './steps.ts';

/** A token with less left is refreshed before it is used (docs/spec/command-line.md, Calls to the provider). */
const REFRESH_BELOW_MS = 30_000;

/** A token, and what was done to have it. */
export type Obtained = { readonly token: AccessToken; readonly steps: Steps };

/** There is no token: what refresh and login came to. */
export type NoToken = { readonly _tag: 'NoToken'; readonly steps: Steps };

/**
 * Keeps a token in memory and fresh (docs/spec/command-line.md, Calls to the provider). However many callers wait, one
 * login or refresh is under way.
 */
export type TokenService = {
  /** A token to call with: the one at hand while it has 30 s left, else a new one. */
  readonly current: (deadline: Deadline) => Promise<E.Either<NoToken, Obtained>>;
  /** A token in the place of one that the provider rejected: that of another caller who was rejected too, or a new one. */
  readonly renew: (
    rejected: AccessToken,
    by: AccessToken['by'],
    deadline: Deadline,
  ) => Promise<E.Either<NoToken, Obtained>>;
  /** Breaks off what is under way. */
  readonly close: () => void;
};

/** A refusal of the token, not a failure that passes: the next attempt need not begin with it. */
const isFinal = (failure: StepFailure): boolean =>
  failure._tag === 'Answered' && failure.status >= 400 && failure.status < 500 && failure.status !== 429;

/** Makes a service that has no token yet. */
export const tokenService = (source: TokenSource): TokenService => {
  const { timing } = source;
  const closing = new AbortController();
  let held: AccessToken | null = null;
  /** Whether the token at hand was answered with 401. */
  let heldRejected = false;
  let underWay: { readonly by: AccessToken['by']; readonly done: Promise<E.Either<NoToken, Obtained>> } | null = null;

  const stillGood = (token: AccessToken): boolean => held === token && !heldRejected && msLeft(token, timing) > 0;

  const take = (token: AccessToken): AccessToken => {
    held = token;
    heldRejected = false;
    return token;
  };

  const obtain = async (refreshed: AccessToken | null, deadline: Deadline): Promise<E.Either<NoToken, Obtained>> => {
    const steps: Step[] = [];
    if (refreshed !== null) {
      const token = await obtainToken(source, refreshed, deadline);
      steps.push({ step: 'refresh', failure: E.isLeft(token) ? token.left : null });
      if (E.isRight(token)) return E.right({ token: take(token.right), steps });
      // Refreshing ahead of expiry was too early to matter.
      if (stillGood(refreshed)) return E.right({ token: refreshed, steps });
      if (isFinal(token.left)) held = null;
      if (deadline.left() === 0) return E.left({ _tag: 'NoToken', steps });
    }
    const token = await obtainToken(source, null, deadline);
    steps.push({ step: 'login', failure: E.isLeft(token) ? token.left : null });
    return E.isLeft(token) ? E.left({ _tag: 'NoToken', steps }) : E.right({ token: take(token.right), steps });
  };

  /** One at a time; a deadline of its own, since it serves callers that come later too. */
  const join = (refreshed: AccessToken | null, { inTime }: Deadline): Promise<E.Either<NoToken, Obtained>> => {
    underWay ??= {
      by: refreshed === null ? 'login' : 'refresh',
      done: withDeadline(timing, CALL_MS, closing.signal, (own) => obtain(refreshed, own)).finally(() => {
        underWay = null;
      }),
    };
    const late: NoToken = { _tag: 'NoToken', steps: [{ step: underWay.by, failure: { _tag: 'TimedOut' } }] };
    return inTime(underWay.done, E.left(late));
  };

  const isLasting = (token: AccessToken): boolean => msLeft(token, timing) >= REFRESH_BELOW_MS;

  /** A login may answer a token that was issued before, with little time left: that is refreshed as one at hand is, once. */
  const lasting = async ({ token, steps }: Obtained, deadline: Deadline): Promise<E.Either<NoToken, Obtained>> => {
    const refreshed = await join(token, deadline);
    if (E.isLeft(refreshed) && stillGood(token)) return E.right({ token, steps });
    return E.bimap(
      (none: NoToken): NoToken => ({ ...none, steps: [...steps, ...none.steps] }),
      (got: Obtained): Obtained => ({ ...got, steps: [...steps, ...got.steps] }),
    )(refreshed);
  };

  return {
    current: async (deadline) => {
      if (held !== null && !heldRejected && isLasting(held)) return E.right({ token: held, steps: [] });
      const got = await join(held, deadline);
      const isOfLogin = E.isRight(got) && got.right.steps.at(-1)?.step === 'login';
      return isOfLogin && !isLasting(got.right.token) ? lasting(got.right, deadline) : got;
    },
    renew: (rejected, by, deadline) => {
      if (held === rejected) heldRejected = true;
      if (underWay === null && held !== null && stillGood(held)) {
        return Promise.resolve(E.right({ token: held, steps: [] }));
      }
      return join(by === 'login' ? null : held, deadline);
    },
    close: () => closing.abort(),
  };
};
