import {
  configErrorLine,
  reloadSecrets,
  watchSecrets,
  type Config,
  type Environment,
  type ReloadedSecrets,
  type Secrets,
} from '../../config/index.ts';
import { changedSecrets } from '../../config/changed-secrets.ts';
import type { Log } from '../../telemetry/logger.ts';

/** Keeps secrets and keys current; what can't be read any more is not valid any more, and is logged. */
export const currentSecrets = (
  env: Environment,
  config: Config,
  { logger }: Log,
): { readonly get: () => Secrets; readonly stop: () => void } => {
  let current = config.secrets;
  const take = ({ secrets: { webhook, apiKeys }, errors }: ReloadedSecrets): void => {
    for (const secretId of changedSecrets(current.webhook, webhook)) {
      logger.error(
        { secretId },
        'a secret has another value than before: events that the former one signed will be called forged',
      );
    }
    current = { webhook, apiKeys };
    for (const error of errors) {
      logger.error(
        { problem: configErrorLine(error) },
        'a secret or key can not be read, and is not accepted any more',
      );
    }
  };
  const stop = watchSecrets({
    env,
    dataDir: config.dataDir,
    onRestless: (variable) =>
      logger.warn({ variable }, 'the file of a secret or key keeps changing, and is read while it does'),
    onSilent: (silent) => {
      if (silent === null) logger.info('the files of secrets and keys answer again');
      else logger.error(silent, 'the files of secrets and keys can not be looked at: those read last stay valid');
    },
    onReload: (reloaded) => {
      take(reloaded);
      const { webhook, apiKeys } = reloaded.secrets;
      for (const warning of reloaded.warnings) logger.warn(warning);
      const counts = { active: webhook.active.length, retired: webhook.retired.length, apiKeys: apiKeys.length };
      logger.info(counts, 'secrets and keys were read again');
    },
  });
  // A key that was taken out since they were read first is in no file that changes any more.
  take(reloadSecrets(env, config.dataDir));
  return { get: () => current, stop };
};
