import * as E from 'fp-ts/lib/Either.js';
import { configError, type ConfigError } from './config-error.ts';
import type { UpstreamVariables } from './config.ts';

/** How the provider is called, with all that it takes. */
export type UpstreamSettings = UpstreamVariables & { readonly baseUrl: string; readonly loginJson: string };

/** What calls upstream need of the environment; Left names the first variable that is missing. */
export const upstreamSettings = (upstream: UpstreamVariables): E.Either<ConfigError, UpstreamSettings> => {
  const { baseUrl, loginJson } = upstream;
  if (baseUrl === null) {
    return E.left(
      configError(
        'UPSTREAM_BASE_URL',
        'it is not set',
        "give the provider's base URL, such as https://api.example.com",
      ),
    );
  }
  return loginJson === null
    ? E.left(
        configError(
          'UPSTREAM_LOGIN_JSON',
          'it is not set',
          'set it, or UPSTREAM_LOGIN_JSON_FILE, to the body that the login endpoint takes, as JSON',
        ),
      )
    : E.right({ ...upstream, baseUrl, loginJson });
};
