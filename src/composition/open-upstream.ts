import { randomBytes } from 'node:crypto';
import { either as E } from 'fp-ts';
import type { CommandFailure } from '../cli/command-context.ts';
import { configErrorLine, loadConfig, upstreamSettings, type LoadedConfig } from '../config/index.ts';
import { fetchExchange } from '../tokens/fetch-exchange.ts';
import { remoteKeySet } from '../tokens/key-set.ts';
import { systemTiming } from '../tokens/system-timing.ts';
import { upstream, type Upstream } from '../tokens/upstream.ts';

/** The provider as the environment says it; Left names the variable that is missing or wrong. */
export const openUpstream = (): E.Either<CommandFailure, Upstream> => {
  const settings = E.chain(({ config }: LoadedConfig) => upstreamSettings(config.upstream))(
    loadConfig(process.env, { generate: false, randomBytes }),
  );
  if (E.isLeft(settings)) return E.left({ status: 2, line: configErrorLine(settings.left) });
  const { baseUrl, loginJson, issuer, audience, jwksUrl } = settings.right;
  return E.right(
    upstream({
      account: { baseUrl, loginJson },
      expected: { issuer, audience },
      proveSignature: jwksUrl === null ? null : remoteKeySet(jwksUrl, fetchExchange),
      exchange: fetchExchange,
      timing: systemTiming,
    }),
  );
};
