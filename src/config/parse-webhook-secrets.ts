import * as E from 'fp-ts/lib/Either.js';
import { branded } from '../domain/brand.ts';
import type { SecretId } from '../domain/ids.ts';
import { configError } from './config-error.ts';
import type { WebhookSecret } from './config.ts';
import { secretEntries, type ListForm, type ReadEntries } from './secret-entries.ts';

const FORM: ListForm = { form: 'id=secret,id2=secret2', noun: 'secret' };

const parse = (variable: string, list: string, form: ListForm): ReadEntries<WebhookSecret> =>
  secretEntries(variable, list, form, ({ number, head, value }, before: readonly WebhookSecret[]) =>
    before.some(({ id }) => id === head)
      ? E.left(
          configError(variable, `entry ${number} has an id that is used twice`, 'give each secret an id of its own'),
        )
      : E.right({ id: branded<SecretId>(head), key: Buffer.from(value) }),
  );

/**
 * Reads `id=secret,id2=secret2` (docs/spec/configuration.md, Webhook secrets). The same secret may stand under two ids:
 * that is how an id is renamed.
 */
export const parseWebhookSecrets = (variable: string, list: string): ReadEntries<WebhookSecret> =>
  parse(variable, list, FORM);

/** The same of secrets that prove what was signed with them, and are not accepted any more. */
export const parseRetiredSecrets = (variable: string, list: string): ReadEntries<WebhookSecret> =>
  parse(variable, list, { ...FORM, isOutOfUse: true });
