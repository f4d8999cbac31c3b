import { parentPort, type MessagePort } from 'node:worker_threads';
import * as E from 'fp-ts/lib/Either.js';
import { readingTrouble, writingTrouble } from '../cli/file-trouble.ts';
import { troubleLine } from '../domain/trouble.ts';
import { backUp } from '../event-store/sqlite/back-up.ts';
import { packBankFiles } from '../event-store/sqlite/backed-up-files.ts';
import { backupProtocol, type BackupAnswer, type BackupNews, type BackupQuestion } from './backup-message.ts';
import { threadEnd } from './serve-thread.ts';

const copied = async (
  { file, draft, bankFiles }: BackupQuestion,
  tell: (news: BackupNews) => void,
): Promise<BackupAnswer> => {
  try {
    const content = await backUp(file, draft, (share, mebibytes) => tell({ _tag: 'Progress', share, mebibytes }));
    if (E.isLeft(content)) return { _tag: 'Refused', line: troubleLine(content.left) };
    const packed = packBankFiles(draft, bankFiles);
    if (E.isRight(packed)) return { _tag: 'Copied', content: content.right, ...packed.right };
    const { path, error } = packed.left;
    return { _tag: 'Refused', line: `${path} can't be read (${readingTrouble(error)})` };
  } catch (error) {
    return { _tag: 'Unwritten', trouble: writingTrouble(error) };
  }
};

const serve = (port: MessagePort): void => {
  const { serve: answering, tell } = threadEnd<BackupQuestion, BackupAnswer, never, BackupNews>(port, backupProtocol);
  answering({ answer: (question) => copied(question, tell), onNote: (never) => never, close: () => undefined });
};

if (parentPort !== null) serve(parentPort);
