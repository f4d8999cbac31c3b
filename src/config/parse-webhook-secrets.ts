import * as E from 'fp-ts/lib/Either.js';
import { branded } from '../domain/brand.ts';
import type { SecretId } from '../domain/ids.ts';
import { configError } from './config-error.ts';
import type { WebhookSecret } from './config.ts';
import { secretEntries, type ReadEntries } from './secret-entries.ts';

const FORM = { form: 'id=secret,id2=secret2', noun: 'secret' };

/**
 * Reads `id=secret,id2=secret2` (docs/spec/configuration.md, Webhook secrets). The same secret may stand under two ids:
 * that is how an id is renamed.
 */
export const parseWebhookSecrets = (variable: string, list: string): ReadEntries<WebhookSecret> =>
  secretEntries(variable, list, FORM, ({ number, head, value }, before: readonly WebhookSecret[]) =>
    before.some(({ id }) => id === head)
      ? E.left(
          configError(variable, `entry ${number} has an id that is used twice`, 'give each secret an id of its own'),
        )
      : E.right({ id: branded<SecretId>(head), key: Buffer.from(value) }),
  );
