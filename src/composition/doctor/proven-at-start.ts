import * as E from 'fp-ts/lib/Either.js';
import { backOff, type BackOff } from '../../concurrency/back-off.ts';
import { retried } from '../../concurrency/retried.ts';
import { wait } from '../../concurrency/wait.ts';
import type { Config } from '../../config/index.ts';
import type { SecretId } from '../../domain/ids.ts';
import { WorkerClient } from '../../threads/worker-client.ts';
import { ledgerLocation } from '../ledger-location.ts';
import { keysForThread } from '../webhook-keys.ts';
import { secretsProtocol, type SecretsAnswer, type SecretsQuestion } from './secrets-message.ts';

type SecretsThread = WorkerClient<SecretsQuestion, SecretsAnswer>;

const secretsThread = (): SecretsThread =>
  new WorkerClient<SecretsQuestion, SecretsAnswer>({
    name: 'secrets',
    file: new URL('./secrets-thread.ts', import.meta.url),
    data: null,
    protocol: secretsProtocol,
  });

/** A store may be away for hours, and nobody waits for this. */
const PAUSES: BackOff = { firstMs: 5_000, longestMs: 60_000 };

/** A look at the secrets of a ledger that has started. */
export type SecretsLook = {
  /** Ends it, wherever it is. */
  readonly close: () => Promise<void>;
};

/**
 * Proves the newest event of each secret, which came before a moment, with the value that it has now; in a thread beside, since
 * deliveries are taken meanwhile. Tells each secret that does not prove it, once. A store that does not answer is asked again, by a
 * thread of its own each time, until it does.
 *
 * @param beforeMs in ms since the epoch
 * @param pauses between a store that does not answer and the next try
 */
export const proveSecrets = (
  config: Pick<Config, 'dataDir' | 'eventStore' | 'secrets'>,
  beforeMs: number,
  onUnproven: (id: SecretId) => void,
  pauses: BackOff = PAUSES,
): SecretsLook => {
  const ended = new AbortController();
  const location = ledgerLocation(config);
  let thread: SecretsThread | null = null;
  /** Whether the store said it. */
  const prove = async (): Promise<boolean> => {
    if (ended.signal.aborted) return true;
    thread = secretsThread();
    const answer = await thread.ask({ _tag: 'Prove', location, keys: keysForThread(config.secrets), beforeMs });
    await thread.close();
    if (E.isLeft(answer) || answer.right._tag === 'Unread') return false;
    for (const id of answer.right.ids) onUnproven(id);
    return true;
  };
  void retried(
    prove,
    (isSaid, failures) => (isSaid || ended.signal.aborted ? null : backOff(pauses, failures, Math.random)),
    (ms) => wait(ms, ended.signal),
  );
  return {
    close: async () => {
      ended.abort();
      await thread?.close();
    },
  };
};
