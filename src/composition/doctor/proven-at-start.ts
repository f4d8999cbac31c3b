import * as E from 'fp-ts/lib/Either.js';
import type { Config } from '../../config/index.ts';
import type { SecretId } from '../../domain/ids.ts';
import { WorkerClient } from '../../threads/worker-client.ts';
import { ledgerLocation } from '../ledger-location.ts';
import { keysForThread } from '../webhook-keys.ts';
import { secretsProtocol, type SecretsAnswer, type SecretsQuestion } from './secrets-message.ts';

/** A look at the secrets of a ledger that has started. */
export type SecretsLook = {
  /** Ends it, wherever it is. */
  readonly close: () => Promise<void>;
};

/**
 * Proves the newest event of each secret, which came before a moment, with the value that it has now; in a thread beside, since
 * deliveries are taken meanwhile. Tells each secret that does not prove it, once. A store that does not answer says nothing.
 *
 * @param beforeMs in ms since the epoch
 */
export const proveSecrets = (
  config: Pick<Config, 'dataDir' | 'eventStore' | 'secrets'>,
  beforeMs: number,
  onUnproven: (id: SecretId) => void,
): SecretsLook => {
  const thread = new WorkerClient<SecretsQuestion, SecretsAnswer>({
    name: 'secrets',
    file: new URL('./secrets-thread.ts', import.meta.url),
    data: null,
    protocol: secretsProtocol,
  });
  const location = ledgerLocation(config);
  const prove = async (): Promise<void> => {
    const answer = await thread.ask({ _tag: 'Prove', location, keys: keysForThread(config.secrets), beforeMs });
    if (E.isRight(answer)) for (const id of answer.right.ids) onUnproven(id);
    await thread.close();
  };
  void prove();
  return { close: () => thread.close() };
};
