import { join } from 'node:path';
import { branded } from '../domain/brand.ts';
import type { SecretId } from '../domain/ids.ts';
import { sha256 } from '../domain/sha256.ts';
import { configError, type ConfigError } from './config-error.ts';
import type { ApiKey, WebhookSecret } from './config.ts';
import { SCOPES } from './scope.ts';
import type { SecretLists } from './secret-lists.ts';

const GENERATED = 'generated';

/** The id of the generated webhook secret (docs/spec/configuration.md, Generated secrets). */
export const GENERATED_ID = branded<SecretId>(GENERATED);

/** Where the data directory keeps them. */
export const generatedFiles = (dataDir: string): { readonly webhookSecret: string; readonly apiKey: string } => ({
  webhookSecret: join(dataDir, 'webhook-secret'),
  apiKey: join(dataDir, 'api-key'),
});

/** A generated value that is accepted now, in place of what a variable would say. */
export type GeneratedValue = {
  readonly file: string;
  readonly variable: 'WEBHOOK_SECRETS' | 'API_KEYS';
  /** Whether this start made it; else it was in the file. */
  readonly isNew: boolean;
};

/** Whence a generated value is, for the line that names its file: a new one is one that the provider does not know yet. */
export const generatedWords = ({ variable, isNew }: GeneratedValue): string =>
  `${isNew ? 'made now' : 'taken from this file'}, since ${variable} is not set`;

export const generatedSecret = (value: string): WebhookSecret => ({
  id: GENERATED_ID,
  key: Buffer.from(value),
});

export const generatedKey = (value: string): ApiKey => ({
  id: GENERATED,
  scopes: new Set(SCOPES),
  sha256: sha256(value),
});

/** Whether a list has the generated secret under its own id: then it is that entry which counts, active or retired. */
export const holdsGenerated = (secrets: readonly WebhookSecret[]): boolean =>
  secrets.some(({ id }) => id === GENERATED_ID);

const clash = (variable: string): ConfigError =>
  configError(
    variable,
    `an entry has the id ${GENERATED}, which is that of the secret in the data directory`,
    'give it another id',
  );

type Signing = Pick<SecretLists, 'active' | 'retired' | 'errors'>;

/**
 * Takes out, as an error, the id `generated` of any other secret than the generated one: events of both could not be told
 * apart. `kept` is that secret where its file is there, null where it is not; then the id is free once WEBHOOK_SECRETS is
 * set.
 */
export const withoutGeneratedId = <A extends Signing>(lists: A, kept: string | null): A => {
  const { active, retired, errors } = lists;
  const isOther = ({ id, key }: WebhookSecret): boolean =>
    id === GENERATED_ID && (active === null || (kept !== null && !key.equals(Buffer.from(kept))));
  return {
    ...lists,
    active: active === null ? null : active.filter((secret) => !isOther(secret)),
    retired: retired.filter((secret) => !isOther(secret)),
    errors: [
      ...errors,
      ...(retired.some(isOther) ? [clash('WEBHOOK_RETIRED_SECRETS')] : []),
      ...(active?.some(isOther) === true ? [clash('WEBHOOK_SECRETS')] : []),
    ],
  };
};
