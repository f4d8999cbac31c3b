import { randomBytes } from 'node:crypto';
import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { CommandFailure } from '../../cli/command-failure.ts';
import {
  configErrorLine,
  loadConfig,
  upstreamSettings,
  type ConfigError,
  type Environment,
  type LoadedConfig,
  type UpstreamSettings,
  type UpstreamVariables,
} from '../../config/index.ts';
import { fetchExchange } from '../../tokens/fetch-exchange.ts';
import { remoteKeySet } from '../../tokens/key-set.ts';
import { systemTiming } from '../../tokens/system-timing.ts';
import { upstream, type Upstream } from '../../tokens/upstream.ts';

/** The provider as it is configured; Left names the variable that is missing. Nothing is sent yet. */
export const upstreamOf = (variables: UpstreamVariables): E.Either<ConfigError, Upstream> =>
  E.map(({ baseUrl, loginJson, issuer, audience, jwksUrl }: UpstreamSettings) =>
    upstream({
      account: { baseUrl, loginJson },
      expected: { issuer, audience },
      proveSignature: jwksUrl === null ? null : remoteKeySet(jwksUrl, fetchExchange, systemTiming),
      exchange: fetchExchange,
      timing: systemTiming,
    }),
  )(upstreamSettings(variables));

/** The provider as the environment says it; Left names the variable that is missing or wrong. */
export const openUpstream = (env: Environment): E.Either<CommandFailure, Upstream> =>
  pipe(
    loadConfig(env, { generate: false, randomBytes }),
    E.chain(({ config }: LoadedConfig) => upstreamOf(config.upstream)),
    E.mapLeft((error): CommandFailure => ({ status: 2, line: configErrorLine(error) })),
  );
