import { createRemoteJWKSet, customFetch, errors, jwtVerify, type FetchImplementation } from 'jose';
import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import { CLOCK_SKEW_SECONDS } from './check-claims.ts';
import { check, tokenUnusable, type TokenUnusable } from './claims.ts';
import type { Exchange } from './exchange.ts';

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

const fetchWith =
  (exchange: Exchange): FetchImplementation =>
  async (url, { method, headers, signal }) => {
    const request = { method, url: new URL(url), headers: Object.fromEntries(headers), body: null };
    const answer = await exchange(request, signal)();
    if (E.isLeft(answer)) throw new Error('detail' in answer.left ? answer.left.detail : answer.left._tag);
    return new Response(new Uint8Array(answer.right.body), { status: answer.right.status });
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
export const remoteKeySet = (url: string, exchange: Exchange): ProveSignature => {
  const keys = createRemoteJWKSet(new URL(url), { [customFetch]: fetchWith(exchange) });
  return (token, now) => async () => {
    try {
      await jwtVerify(token, keys, { currentDate: new Date(now), clockTolerance: CLOCK_SKEW_SECONDS });
      return E.right(undefined);
    } catch (error) {
      return E.left(failureOf(error));
    }
  };
};
