import * as E from 'fp-ts/lib/Either.js';
import { check, tokenUnusable, type Claims, type TokenUnusable, type UpstreamCure } from './claims.ts';

/** By how much the provider's clock and ours may differ before a token that it just issued is refused for its times. */
export const CLOCK_SKEW_SECONDS = 5;

/** What the configuration demands of a token; null: anything (docs/spec/configuration.md, Provider). */
export type ExpectedClaims = { readonly issuer: string | null; readonly audience: string | null };

const CLOCK: UpstreamCure = { cure: "set this machine's clock", variable: null };

const problemOf = ({ iss, aud, exp, nbf }: Claims, expected: ExpectedClaims, seconds: number): TokenUnusable | null => {
  if (expected.issuer !== null && iss !== expected.issuer) {
    return tokenUnusable('its issuer (iss) is another one', check('UPSTREAM_ISSUER'));
  }
  if (expected.audience !== null && ![aud].flat().includes(expected.audience)) {
    return tokenUnusable('its audience (aud) is another one', check('UPSTREAM_AUDIENCE'));
  }
  if (exp !== undefined && exp <= seconds - CLOCK_SKEW_SECONDS) return tokenUnusable('it is expired (exp)', CLOCK);
  return nbf !== undefined && nbf > seconds + CLOCK_SKEW_SECONDS
    ? tokenUnusable('it is not valid yet (nbf)', CLOCK)
    : null;
};

/**
 * Checks the claims of a token that was just received.
 *
 * @param now milliseconds since the Unix epoch
 */
export const checkClaims = (claims: Claims, expected: ExpectedClaims, now: number): E.Either<TokenUnusable, Claims> => {
  const problem = problemOf(claims, expected, now / 1_000);
  return problem === null ? E.right(claims) : E.left(problem);
};
