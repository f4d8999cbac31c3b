import * as E from 'fp-ts/lib/Either.js';
import { SecretText, type AccessToken } from './access-token.ts';
import { checkClaims, type ExpectedClaims } from './check-claims.ts';
import { readClaims } from './claims.ts';
import type { Deadline } from './deadline.ts';
import type { Exchange, ExchangeError, UpstreamAnswer } from './exchange.ts';
import type { KeysUnavailable, ProveSignature } from './key-set.ts';
import type { StepFailure } from './steps.ts';
import type { Timing } from './timing.ts';
import { tokenIn } from './token-answer.ts';
import { loginRequest, refreshRequest, type UpstreamAccount } from './token-requests.ts';
import { withRetries } from './with-retries.ts';

/** What obtaining a token stands on. */
export type TokenSource = {
  readonly account: UpstreamAccount;
  readonly expected: ExpectedClaims;
  /** Null: no key set is configured, and signatures are not looked at. */
  readonly proveSignature: ProveSignature | null;
  readonly exchange: Exchange;
  readonly timing: Timing;
};

type Failable<A> = Promise<E.Either<StepFailure, A>>;

const LATE = E.left<ExchangeError>({ _tag: 'TimedOut' });

const accepted = async (
  { expected, proveSignature, timing }: TokenSource,
  by: AccessToken['by'],
  text: string,
  deadline: Deadline,
): Failable<AccessToken> => {
  const received = { now: timing.now(), elapsed: timing.elapsed() };
  const claims = E.chain((read: AccessToken['claims']) => checkClaims(read, expected, received.now))(readClaims(text));
  if (E.isLeft(claims)) return claims;
  if (proveSignature !== null) {
    const proof: Promise<E.Either<ExchangeError | KeysUnavailable | StepFailure, void>> = proveSignature(
      text,
      received.now,
    )();
    const proved = await deadline.inTime(proof, LATE);
    if (E.isLeft(proved)) return proved;
  }
  return E.right({
    text: new SecretText(text),
    claims: claims.right,
    signatureChecked: proveSignature !== null,
    by,
    received,
  });
};

const isSuccess = ({ status }: UpstreamAnswer): boolean => status >= 200 && status < 300;

/**
 * Logs in, or refreshes a token, and takes what comes only if it is what the configuration demands. Both are safe to
 * repeat: one token more harms nobody.
 *
 * @param from the token to refresh; null logs in
 */
export const obtainToken = async (
  source: TokenSource,
  from: AccessToken | null,
  deadline: Deadline,
): Failable<AccessToken> => {
  const { account, exchange, timing } = source;
  const request = from === null ? loginRequest(account) : refreshRequest(account, from.text.reveal());
  const answer = await withRetries(timing, deadline, () => deadline.inTime(exchange(request, deadline.signal)(), LATE));
  if (E.isLeft(answer)) return answer;
  if (!isSuccess(answer.right)) return E.left({ _tag: 'Answered', status: answer.right.status });
  const text = tokenIn(answer.right.body);
  if (text === null) return E.left({ _tag: 'NoTokenInAnswer' });
  return accepted(source, from === null ? 'login' : 'refresh', text, deadline);
};
