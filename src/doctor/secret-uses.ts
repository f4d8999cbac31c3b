import { GENERATED_ID } from '../config/generated-secret.ts';
import type { SecretSet } from '../config/config.ts';
import { parseMetadata } from '../domain/event-metadata.ts';
import type { SecretId } from '../domain/ids.ts';
import { epochMsOf, type Instant } from '../domain/instant.ts';
import type { Finding } from './doctor-check.ts';
import type { ExaminedLog } from './examined-log.ts';

/** When each secret of some events was last used. */
export type SecretUses = ReadonlyMap<SecretId, Instant>;

/** When each secret of the newest events was last used. */
export const secretUses = (log: ExaminedLog): SecretUses => {
  const uses = new Map<SecretId, Instant>();
  for (const { metadata } of log._tag === 'Read' ? log.newest : []) {
    const read = parseMetadata(metadata);
    if (read === null) continue;
    const { secretId, receivedAt } = read;
    const known = uses.get(secretId);
    if (known === undefined || epochMsOf(receivedAt) > epochMsOf(known)) uses.set(secretId, receivedAt);
  }
  return uses;
};

/**
 * What is wrong where events are signed with the generated secret, its file is gone, and nobody chose another one. Another one under
 * the same id would have all these events called forged, and refuse what the provider goes on to sign; so none is made. Null: no
 * generated secret is gone, as far as events say.
 */
export const lostSecret = ({ active }: SecretSet, uses: SecretUses): Finding | null =>
  active.length > 0 || !uses.has(GENERATED_ID)
    ? null
    : {
        detail: `the file webhook-secret is gone from DATA_DIR, and events are signed with the secret that was generated in it: another one of its id (${GENERATED_ID}) would call them forged`,
        cure: `put webhook-secret back from a backup, or set WEBHOOK_SECRETS to ${GENERATED_ID}=… with the value that the provider has; if that is lost, to a new value under another id, such as second=…, and give that to the provider`,
      };

/** What is wrong where the newest event of a secret is not signed with the value that it has now: a name has one value for good. */
export const exchangedSecret = (id: SecretId): Finding => ({
  detail: `${id} has another value than before: the newest event of its name is not signed with the value of now, and "verify" calls what the former one signed forged`,
  cure: `give the former value its name ${id} back, in WEBHOOK_SECRETS or WEBHOOK_RETIRED_SECRETS, and the new one a name of its own`,
});
