import { parentPort, type MessagePort } from 'node:worker_threads';
import { openTransfers, type OpenedTransfers } from '../queries/transfers/opened-transfers.ts';
import { openStatement, type OpenedStatement } from '../statements/opened-statement.ts';
import { peekTable } from '../statements/table/peek-table.ts';
import { isUnreadable } from '../statements/unreadable.ts';
import { lowerPriority } from './lower-priority.ts';
import { threadEnd } from './serve-thread.ts';
import { statementProtocol, type StatementAnswer, type StatementQuestion } from './statement-message.ts';

/** A person waits for it, but deliveries come first. */
const PRIORITY = 5;

const serve = (port: MessagePort): void => {
  lowerPriority(PRIORITY);
  let opened: OpenedStatement | null = null;
  let transfers: OpenedTransfers | null = null;
  const answer = async (question: StatementQuestion): Promise<StatementAnswer> => {
    if (question._tag === 'Lines') {
      return { _tag: 'Lines', lines: opened?.lines(question.from, question.most) ?? [] };
    }
    if (question._tag === 'LineNames') {
      return { _tag: 'LineNames', names: opened?.names(question.key, question.from, question.most) ?? [] };
    }
    if (question._tag === 'Transfers') {
      return { _tag: 'Transfers', transfers: transfers?.transfers(question.from, question.most) ?? [] };
    }
    if (question._tag === 'ReadTransfers') {
      const read = await openTransfers(question.bytes, question.context);
      if ('_tag' in read) return { _tag: 'Refused', refusal: read };
      transfers = read;
      return { _tag: 'TransfersRead', count: read.count };
    }
    if (question._tag === 'Peek') {
      const table = await peekTable(question.bytes, question.format);
      return isUnreadable(table) ? { _tag: 'Refused', refusal: table } : { _tag: 'Peeked', table };
    }
    const read = await openStatement(question.bytes, question.reading);
    if (isUnreadable(read)) return { _tag: 'Refused', refusal: read };
    opened = read;
    const { statementId, facts } = read;
    return { _tag: 'Read', statementId, facts };
  };
  threadEnd(port, statementProtocol).serve({ answer, onNote: (never) => never, close: () => undefined });
};

if (parentPort !== null) serve(parentPort);
