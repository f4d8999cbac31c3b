import * as E from 'fp-ts/lib/Either.js';
import type { Exchange, ExchangeError, UpstreamAnswer, UpstreamRequest } from '../../src/tokens/exchange.ts';
import { unsignedToken } from '../support/jwt.ts';
import { START, type VirtualTime } from '../support/virtual-time.ts';

/** How the provider treats one request. */
export type Behaviour = {
  readonly latencyMs: number;
  /** `deaf` never answers and does not heed the signal either. */
  readonly does: 'serve' | 'refuse' | 'fail' | 'pause' | 'drop' | 'babble' | 'deaf';
  /** Seconds for which a token that it issues is good; null: it has no exp. */
  readonly lifetime: number | null;
};

export const WELL: Behaviour = { latencyMs: 20, does: 'serve', lifetime: 900 };

/** A request as the provider saw it, and when. */
export type Seen = { readonly what: 'login' | 'refresh' | 'call'; readonly token: string | null; readonly at: number };

export type ModelProvider = {
  readonly exchange: Exchange;
  readonly seen: readonly Seen[];
  /** What is asked while its behaviour is. */
  readonly asking: () => Seen['what'];
  /** What a correct client never does. */
  readonly violations: readonly string[];
};

const answer = (
  status: number,
  body: string,
  retryAfter: string | null = null,
): E.Either<ExchangeError, UpstreamAnswer> => E.right({ status, retryAfter, body: Buffer.from(body) });

const whatOf = ({ url }: UpstreamRequest): Seen['what'] => {
  if (url.pathname === '/v1/users/login') return 'login';
  return url.pathname === '/v1/users/refresh-token' ? 'refresh' : 'call';
};

const FAILURES: Readonly<
  Record<Exclude<Behaviour['does'], 'serve' | 'deaf'>, E.Either<ExchangeError, UpstreamAnswer>>
> = {
  refuse: answer(401, '{"error":"no"}'),
  fail: answer(500, '{"error":"oops"}'),
  pause: answer(503, '{}', '1'),
  drop: E.left({ _tag: 'Unreachable', detail: 'ECONNRESET' }),
  babble: answer(200, '<html>'),
};

const isAborted = ({ aborted }: AbortSignal): boolean => aborted;

type Issued = { readonly expMs: number | null; arrivedAt: number | null };

/** By how much a token may be beyond its time when it is used: the stated allowance for clocks. */
const SKEW_MS = 5_000;
const LIFETIME_MS = 900_000;

/**
 * A provider in virtual time, on a clock of its own that never jumps. It issues tokens and honours those that it issued
 * while they last, and watches what a correct client never does: two logins or refreshes at a time, and calls with a
 * token that the client's clock knows to be expired.
 */
export const modelProvider = (time: VirtualTime, behaviour: (number: number) => Behaviour): ModelProvider => {
  const seen: Seen[] = [];
  const violations: string[] = [];
  const issued = new Map<string, Issued>();
  const { timing } = time;
  const serverNow = (): number => START + timing.elapsed();
  let renewing = 0;
  let asking: Seen['what'] = 'login';

  const issue = (lifetime: number | null): string => {
    const exp = lifetime === null ? {} : { exp: Math.floor(serverNow() / 1_000) + lifetime };
    const token = unsignedToken({ jti: `token-${issued.size}`, ...exp });
    issued.set(token, { expMs: exp.exp === undefined ? null : exp.exp * 1_000, arrivedAt: null });
    return token;
  };

  const checkUse = (token: string): void => {
    const { expMs = null, arrivedAt = null } = issued.get(token) ?? {};
    if (arrivedAt === null) violations.push('a call with a token that never arrived');
    else if (expMs === null && timing.elapsed() - arrivedAt >= LIFETIME_MS) violations.push('a call with an old token');
    if (expMs !== null && expMs <= timing.now() - SKEW_MS) violations.push('a call with an expired token');
  };

  const served = (
    what: Seen['what'],
    token: string | null,
    lifetime: number | null,
  ): E.Either<ExchangeError, UpstreamAnswer> => {
    const known = token === null ? undefined : issued.get(token);
    if (what === 'call') {
      const good = known !== undefined && (known.expMs === null || known.expMs > serverNow());
      return good ? answer(200, '{"ok":true}') : answer(401, '{}');
    }
    if (what === 'refresh' && known === undefined) return answer(401, '{}');
    const fresh = issue(lifetime);
    return answer(
      200,
      JSON.stringify(issued.size % 2 === 0 ? { accessToken: fresh } : { data: { accessToken: fresh } }),
    );
  };

  const outcome = (
    { does, lifetime }: Behaviour,
    what: Seen['what'],
    token: string | null,
  ): E.Either<ExchangeError, UpstreamAnswer> =>
    does === 'serve' || does === 'deaf' ? served(what, token, lifetime) : FAILURES[does];

  /** What arrives, as the client's clocks see it. */
  const arrived = (given: E.Either<ExchangeError, UpstreamAnswer>): void => {
    if (E.isLeft(given)) return;
    for (const [token, state] of issued) {
      if (given.right.body.includes(token)) state.arrivedAt ??= timing.elapsed();
    }
  };

  const exchange: Exchange = (request, signal) => async () => {
    if (isAborted(signal)) return E.left({ _tag: 'TimedOut' });
    const what = whatOf(request);
    const token = request.headers['authorization']?.replace('Bearer ', '') ?? null;
    asking = what;
    const how = behaviour(seen.length);
    seen.push({ what, token, at: timing.elapsed() });
    if (what === 'call') checkUse(token ?? '');
    else renewing += 1;
    if (renewing > 1) violations.push('two logins or refreshes at a time');
    let counted = what !== 'call';
    const ended = (): void => {
      if (counted) renewing -= 1;
      counted = false;
    };
    signal.addEventListener('abort', ended);
    if (how.does === 'deaf') return new Promise(() => undefined);
    await timing.wait(how.latencyMs, signal);
    ended();
    if (isAborted(signal)) return E.left({ _tag: 'TimedOut' });
    const given = outcome(how, what, token);
    arrived(given);
    return given;
  };

  return { exchange, seen, violations, asking: () => asking };
};
