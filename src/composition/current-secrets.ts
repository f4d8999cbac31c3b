import { configErrorLine, watchSecrets, type Config, type Environment, type Secrets } from '../config/index.ts';
import type { Log } from '../telemetry/logger.ts';

/** Keeps secrets and keys current; what can't be used is logged, and the ones in use stay. */
export const currentSecrets = (
  env: Environment,
  config: Config,
  { logger }: Log,
): { readonly get: () => Secrets; readonly stop: () => void } => {
  let current = config.secrets;
  const stop = watchSecrets({
    env,
    place: config,
    onReload: ({ secrets: { webhook, apiKeys }, warnings }) => {
      current = { webhook, apiKeys };
      for (const warning of warnings) logger.warn(warning);
      const counts = { active: webhook.active.length, retired: webhook.retired.length, apiKeys: apiKeys.length };
      logger.info(counts, 'secrets and keys were read again');
    },
    onError: (error) => {
      logger.error({ problem: configErrorLine(error) }, 'secrets and keys could not be read again; those in use stay');
    },
  });
  return { get: () => current, stop };
};
