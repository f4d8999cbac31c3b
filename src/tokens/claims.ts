import { decodeJwt } from 'jose/jwt/decode';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';

/** RFC 7519, 2: seconds since the Unix epoch, fractions allowed. JSON's 1e999 is none. */
const NumericDate = t.refinement(t.number, Number.isFinite, 'a number of seconds');

/**
 * The claims of an access token (docs/spec/provider.md, Access token). Each may be missing, since the provider added
 * most of them later and may leave one out; of another type it can't be relied on. Further claims are kept as they
 * came.
 */
const Claims = t.partial({
  sub: t.string,
  aud: t.union([t.string, t.array(t.string)]),
  iss: t.string,
  iat: NumericDate,
  nbf: NumericDate,
  exp: NumericDate,
  jti: t.string,
  tenant_id: t.string,
});

export type Claims = t.TypeOf<typeof Claims>;

/** The variables that say how the provider is called. */
export type UpstreamVariable =
  | 'UPSTREAM_BASE_URL'
  | 'UPSTREAM_LOGIN_JSON'
  | 'UPSTREAM_ISSUER'
  | 'UPSTREAM_AUDIENCE'
  | 'UPSTREAM_JWKS_URL';

/** What to do about a failure in one phrase; `variable`: the one to look at, null where none is to blame. */
export type UpstreamCure = { readonly cure: string; readonly variable: UpstreamVariable | null };

export const check = (variable: UpstreamVariable): UpstreamCure => ({ cure: `check ${variable}`, variable });

/** Why a token is not used, in one phrase without any of its values, and what to do about it. */
export type TokenUnusable = UpstreamCure & { readonly _tag: 'TokenUnusable'; readonly detail: string };

export const tokenUnusable = (detail: string, { cure, variable }: UpstreamCure): TokenUnusable => ({
  _tag: 'TokenUnusable',
  detail,
  cure,
  variable,
});

const decoded = E.tryCatchK(
  (token: string): unknown => decodeJwt(token),
  () => tokenUnusable('it is no JSON Web Token', check('UPSTREAM_BASE_URL')),
);

const wrongClaims = (errors: t.Errors): string =>
  [...new Set(errors.map(({ context }) => context[1]?.key ?? ''))].join(', ');

/** Reads the claims of a token. Nothing is said of its signature. */
export const readClaims = (token: string): E.Either<TokenUnusable, Claims> =>
  E.chain((payload: unknown) =>
    E.mapLeft((errors: t.Errors) =>
      tokenUnusable(`claims of a wrong type: ${wrongClaims(errors)}`, { cure: 'ask the provider', variable: null }),
    )(Claims.decode(payload)),
  )(decoded(token));
