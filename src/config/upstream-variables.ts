import * as apply from 'fp-ts/lib/Apply.js';
import * as E from 'fp-ts/lib/Either.js';
import { isJsonObject } from '../domain/json.ts';
import { parseNatively } from '../domain/parse-json.ts';
import { trimmedEnd } from '../domain/trimmed-end.ts';
import { configError, type ConfigError } from './config-error.ts';
import type { UpstreamVariables } from './config.ts';
import type { Environment } from './environment.ts';
import { isLoopback } from './loopback.ts';
import { optionalText } from './plain-variable.ts';
import { secretSource, type SecretSource } from './secret-source.ts';

type Optional = E.Either<ConfigError, string | null>;

/** `URL` alone accepts too much: it removes blanks and line breaks, and corrects slashes. */
const isHttpUrl = (text: string): boolean =>
  /^https?:\/\/[^\s\\\p{Cc}]+$/iu.test(text) &&
  URL.canParse(text) &&
  new URL(text).username === '' &&
  new URL(text).password === '';

/** No part of it goes into the error: it may hold credentials. */
const optionalUrl = (env: Environment, variable: string, isRight: (text: string) => boolean, cure: string): Optional =>
  E.chain((text: string | null): Optional =>
    text === null || (isHttpUrl(text) && isRight(text))
      ? E.right(text)
      : E.left(configError(variable, 'it is no such URL', cure)),
  )(optionalText(env, variable));

/** The base URL without slashes at its end, since paths begin with one. */
const baseUrl = (env: Environment): Optional =>
  E.map((text: string | null) => (text === null ? null : trimmedEnd(text, '/')))(
    optionalUrl(
      env,
      'UPSTREAM_BASE_URL',
      (text) => !/[?#]/.test(text),
      'give one that begins with https:// or http://, without credentials, query and fragment',
    ),
  );

const jwksUrl = (env: Environment): Optional =>
  optionalUrl(
    env,
    'UPSTREAM_JWKS_URL',
    (text) => !text.includes('#'),
    'give one that begins with https:// or http://, without credentials and fragment',
  );

/** A claim is compared as it stands, so a blank at an end or a line break is a mistake that would refuse every token. */
const claim = (env: Environment, variable: string, cure: string): Optional =>
  E.chain((text: string | null): Optional =>
    text === null || !/^\s|\s$|\p{Cc}/u.test(text)
      ? E.right(text)
      : E.left(configError(variable, 'it begins or ends with a blank, or has a line break', cure)),
  )(optionalText(env, variable));

type Login = { readonly json: string | null; readonly warnings: readonly string[] };

const login = (env: Environment): E.Either<ConfigError, Login> =>
  E.chain((source: SecretSource | null): E.Either<ConfigError, Login> => {
    if (source === null) return E.right({ json: null, warnings: [] });
    const { variable, text } = source;
    const value = parseNatively(text);
    return value !== undefined && isJsonObject(value)
      ? E.right({ json: text, warnings: [] })
      : E.left(configError(variable, 'it is no JSON object', 'give the body that the login endpoint takes, as JSON'));
  })(secretSource(env, 'UPSTREAM_LOGIN_JSON'));

/** Warns of a login that would cross a network unencrypted. */
const clearText = (variable: string, url: string | null): readonly string[] =>
  url === null || /^https:/i.test(url) || isLoopback(new URL(url).hostname)
    ? []
    : [`${variable}: it begins with http://, so login and tokens go to another machine unencrypted; use https://`];

/**
 * Reads how the provider is called (docs/spec/configuration.md, Provider). What is missing is said when it is needed.
 */
export const upstreamVariables = (
  env: Environment,
): E.Either<ConfigError, { readonly upstream: UpstreamVariables; readonly warnings: readonly string[] }> =>
  E.map(({ login: { json, warnings }, ...rest }: Omit<UpstreamVariables, 'loginJson'> & { readonly login: Login }) => ({
    upstream: { ...rest, loginJson: json },
    warnings: [...warnings, ...clearText('UPSTREAM_BASE_URL', rest.baseUrl)],
  }))(
    apply.sequenceS(E.Apply)({
      baseUrl: baseUrl(env),
      login: login(env),
      issuer: claim(env, 'UPSTREAM_ISSUER', 'give the iss of the tokens, exactly'),
      audience: claim(env, 'UPSTREAM_AUDIENCE', 'give the aud of the tokens, exactly'),
      jwksUrl: jwksUrl(env),
    }),
  );
