import {
  createRemoteJWKSet,
  customFetch,
  errors,
  jwtVerify,
  type FetchImplementation,
  type JWTVerifyOptions,
} from 'jose';
import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import { CLOCK_SKEW_SECONDS } from './check-claims.ts';
import { check, tokenUnusable, type TokenUnusable } from './claims.ts';
import { withDeadline } from './deadline.ts';
import { CALL_MS, type Exchange } from './exchange.ts';
import type { Timing } from './timing.ts';
import { withRetries } from './with-retries.ts';

/** The key set could not be had, so nothing is known of the signature. */
export type KeysUnavailable = { readonly _tag: 'KeysUnavailable'; readonly detail: string };

/**
 * Proves a token's signature.
 *
 * @param now milliseconds since the Unix epoch
 */
export type ProveSignature = (token: string, now: number) => TE.TaskEither<TokenUnusable | KeysUnavailable, void>;

/** A key set that is no answer to a request for one; the rest of jose's errors speak of the token. */
const OF_THE_KEYS = new Set(['ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID', 'ERR_JOSE_GENERIC']);

/** How long it may take to have the key set, repetitions included: half of what the call has that waits for it. */
const FETCH_MS = CALL_MS / 2;

/** What jose asks for the key set with: what passes by itself is asked again, as at the login. */
const fetchWith =
  (exchange: Exchange, timing: Timing): FetchImplementation =>
  async (url, { method, headers, signal }) => {
    const request = { method, url: new URL(url), headers: Object.fromEntries(headers), body: null };
    const answer = await withDeadline(timing, FETCH_MS, signal, (deadline) =>
      withRetries(timing, deadline, () => exchange(request, deadline.signal)()),
    );
    if (E.isLeft(answer)) throw new Error('detail' in answer.left ? answer.left.detail : answer.left._tag);
    const { status, body } = answer.right;
    if (status !== 200) throw new Error(`it answered ${status}`);
    return new Response(new Uint8Array(body), { status });
  };

/** A set may have several keys that a token's header fits: without ids while keys are exchanged, say. More are not tried. */
const MOST_CANDIDATES = 16;

/** Proves a token with one key of the set after the other, where its header names none of them alone. */
const verifiedByAny = async (token: string, several: errors.JWKSMultipleMatchingKeys, options: JWTVerifyOptions) => {
  let left = MOST_CANDIDATES;
  for await (const key of several) {
    if (left === 0) break;
    left -= 1;
    try {
      await jwtVerify(token, key, options);
      return;
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
    }
  }
  throw new errors.JWSSignatureVerificationFailed();
};

const failureOf = (error: unknown): TokenUnusable | KeysUnavailable => {
  if (!(error instanceof errors.JOSEError)) {
    return { _tag: 'KeysUnavailable', detail: error instanceof Error ? error.message : 'unknown error' };
  }
  return OF_THE_KEYS.has(error.code)
    ? { _tag: 'KeysUnavailable', detail: error.code }
    : tokenUnusable(`its signature is not proved by the key set (${error.code})`, check('UPSTREAM_JWKS_URL'));
};

/** Signatures by the key set at an address, which jose keeps for ten minutes, and fetches anew for a key that is not in it. */
export const remoteKeySet = (url: string, exchange: Exchange, timing: Timing): ProveSignature => {
  const keys = createRemoteJWKSet(new URL(url), {
    [customFetch]: fetchWith(exchange, timing),
    timeoutDuration: FETCH_MS,
  });
  return (token, now) => async () => {
    const options = { currentDate: new Date(now), clockTolerance: CLOCK_SKEW_SECONDS };
    try {
      await jwtVerify(token, keys, options);
      return E.right(undefined);
    } catch (error) {
      if (!(error instanceof errors.JWKSMultipleMatchingKeys)) return E.left(failureOf(error));
      try {
        await verifiedByAny(token, error, options);
        return E.right(undefined);
      } catch (failure) {
        return E.left(failureOf(failure));
      }
    }
  };
};
