import * as E from 'fp-ts/lib/Either.js';
import { backupProtocol, type BackupAnswer, type BackupNews, type BackupQuestion } from './backup-message.ts';
import { WorkerClient } from './worker-client.ts';

/**
 * Copies a store and its bank files into a draft, in a thread of its own: where their disk hangs it stands in a call of the system, and
 * the thread that asks still hears the signal that is to end the command.
 */
export const copyInThread = async (
  question: BackupQuestion,
  onProgress: (share: number, mebibytes: number) => void,
): Promise<BackupAnswer> => {
  const thread = new WorkerClient<BackupQuestion, BackupAnswer, never, BackupNews>(
    { name: 'backup', file: new URL('./backup-thread.ts', import.meta.url), data: null, protocol: backupProtocol },
    { onNews: ({ share, mebibytes }) => onProgress(share, mebibytes) },
  );
  const answer = await thread.ask(question);
  await thread.close();
  return E.isRight(answer) ? answer.right : { _tag: 'Refused', line: answer.left.detail };
};
