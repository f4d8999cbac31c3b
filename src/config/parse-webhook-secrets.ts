import { either as E } from 'fp-ts';
import { branded } from '../domain/brand.ts';
import type { SecretId } from '../domain/ids.ts';
import { configError, type ConfigError } from './config-error.ts';
import type { WebhookSecret } from './config.ts';
import { secretEntries } from './secret-entries.ts';

const FORM = { form: 'id=secret,id2=secret2', noun: 'secret' };

/** Reads `id=secret,id2=secret2` (contract.md, WEBHOOK_SECRETS). The same secret may stand under two ids: that is how an id is renamed. */
export const parseWebhookSecrets = (
  variable: string,
  list: string,
): E.Either<ConfigError, readonly WebhookSecret[]> => {
  const entries = secretEntries(variable, list, FORM);
  if (E.isLeft(entries)) return entries;
  const secrets = new Map<string, WebhookSecret>();
  for (const { number, head, value } of entries.right) {
    if (secrets.has(head)) {
      return E.left(
        configError(variable, `entry ${number} has an id that is used twice`, 'give each secret an id of its own'),
      );
    }
    secrets.set(head, { id: branded<SecretId>(head), key: Buffer.from(value) });
  }
  return E.right([...secrets.values()]);
};
