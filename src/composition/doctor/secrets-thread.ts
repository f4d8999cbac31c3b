// Where the thread starts that proves the newest event of each secret at a start (proven-at-start.ts).
import { parentPort, type MessagePort } from 'node:worker_threads';
import * as E from 'fp-ts/lib/Either.js';
import { threadEnd } from '../../threads/serve-thread.ts';
import { examineSecrets } from './examine-log.ts';
import { secretsProtocol, type SecretsAnswer, type SecretsQuestion } from './secrets-message.ts';

const answer = async ({ location, keys, beforeMs }: SecretsQuestion): Promise<SecretsAnswer> => {
  const byId = new Map(keys.map(({ id, key }) => [id, Buffer.from(key, 'hex')] as const));
  const unproven = await examineSecrets(location, (id) => byId.get(id) ?? null, beforeMs);
  return E.isLeft(unproven) ? { _tag: 'Unread' } : { _tag: 'Unproven', ids: unproven.right };
};

const serve = (port: MessagePort): void => {
  const end = threadEnd<SecretsQuestion, SecretsAnswer, never, never>(port, secretsProtocol);
  end.serve({ answer, onNote: (never) => never, close: () => undefined });
};

if (parentPort !== null) serve(parentPort);
