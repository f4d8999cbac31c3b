import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { compactVerify, exportJWK, generateKeyPair, SignJWT, type JWK } from 'jose';
import { canonicalJson } from '../domain/canonical-json.ts';
import type { JsonObject } from '../domain/json.ts';
import type { Random } from './random.ts';
import { randomUlid, randomUuid } from './random-ids.ts';

/** The claims of an access token, every one of docs/spec/provider.md, Access token. */
const Claims = t.type({
  sub: t.string,
  aud: t.string,
  iss: t.string,
  iat: t.number,
  exp: t.number,
  jti: t.string,
  tenant_id: t.string,
});

export type Claims = t.TypeOf<typeof Claims>;

/** Why a token opens nothing: one line. */
export type TokenRefusal = { readonly _tag: 'TokenRefusal'; readonly detail: string };

export type AccessTokens = {
  /** A token for whoever shows these credentials: the same ones are the same user. */
  readonly login: (credentials: JsonObject) => Promise<string>;
  /** The claims of a token that this sandbox signed, whether it has expired or not. */
  readonly read: (token: string) => Promise<E.Either<TokenRefusal, Claims>>;
  /** The same, of one that has not expired by the sandbox's clock. */
  readonly readFresh: (token: string) => Promise<E.Either<TokenRefusal, Claims>>;
  /** Another token for the user of one. */
  readonly renew: (claims: Claims) => Promise<string>;
  readonly keySet: { readonly keys: readonly JWK[] };
};

/** docs/spec/provider.md, Limits. */
const TOKEN_LIFETIME_SECONDS = 15 * 60;

/** The Client ID that the sandbox's tokens are for. */
export const CLIENT_ID = 'sandbox-client';

const ALGORITHM = 'ES256';
const MS_PER_SECOND = 1_000;
/** When the sandbox's users signed up, as far as their ULIDs tell. */
const USERS_SINCE = Date.UTC(2023, 0, 1);

const refused = (detail: string): E.Either<TokenRefusal, never> => E.left({ _tag: 'TokenRefusal', detail });

const asJson = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
};

/**
 * Issues and reads access tokens (docs/spec/provider.md, Access token). The signing key is made here and kept in
 * memory, so that tokens of another start are refused.
 * @param issuer what `iss` says; asked for each token, as it may hang on the port
 * @param now milliseconds since the Unix epoch
 */
export const accessTokens = async (random: Random, issuer: () => string, now: () => number): Promise<AccessTokens> => {
  const { privateKey, publicKey } = await generateKeyPair(ALGORITHM);
  const kid = randomUuid(random);
  const tenantId = randomUlid(random, USERS_SINCE);
  const key: JWK = { ...(await exportJWK(publicKey)), kid, alg: ALGORITHM, use: 'sig' };

  const issue = (sub: string): Promise<string> => {
    const iat = Math.floor(now() / MS_PER_SECOND);
    const claims: Claims = {
      sub,
      aud: CLIENT_ID,
      iss: issuer(),
      iat,
      exp: iat + TOKEN_LIFETIME_SECONDS,
      jti: randomUuid(random),
      tenant_id: tenantId,
    };
    return new SignJWT(claims).setProtectedHeader({ alg: ALGORITHM, kid, typ: 'JWT' }).sign(privateKey);
  };

  const read: AccessTokens['read'] = async (token) => {
    const verified = await compactVerify(token, publicKey, { algorithms: [ALGORITHM] }).catch(() => null);
    const claims = Claims.decode(verified === null ? null : asJson(verified.payload));
    return E.isRight(claims) ? E.right(claims.right) : refused('this access token was not issued here, or was altered');
  };

  return {
    login: (credentials) => {
      const user = random.derived(`user/${canonicalJson(credentials)}`);
      return issue(randomUlid(user, USERS_SINCE + user.below(TOKEN_LIFETIME_SECONDS) * MS_PER_SECOND));
    },
    read,
    readFresh: async (token) => {
      const claims = await read(token);
      if (E.isLeft(claims) || claims.right.exp * MS_PER_SECOND > now()) return claims;
      return refused('this access token has expired; refresh it, or log in again');
    },
    renew: ({ sub }) => issue(sub),
    keySet: { keys: [key] },
  };
};
