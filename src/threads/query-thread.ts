import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import * as E from 'fp-ts/lib/Either.js';
import type { Queries } from '../read-models/sqlite/queries.ts';
import { openGenerations, openQueries, type OpenQueries } from '../read-models/sqlite/sqlite-projections.ts';
import { queryProtocol, type Answer, type Question } from './query-message.ts';
import { threadEnd } from './serve-thread.ts';

const answerTo = (queries: Queries, question: Question): Answer => {
  if (question._tag === 'Orders') return { _tag: 'Orders', page: queries.orderTexts(question.question) };
  if (question._tag === 'OrdersWithUtr') {
    return { _tag: 'OrdersWithUtr', orderIds: queries.ordersWithUtr(question.utr) };
  }
  if (question._tag === 'Report') return { _tag: 'Report', report: queries.report(question.question) };
  if (question._tag === 'AuditPositions') {
    return { _tag: 'AuditPositions', page: queries.auditPositions(question.question) };
  }
  if (question._tag === 'Quarantine') {
    return { _tag: 'Quarantine', page: queries.quarantine(question.question) };
  }
  if (question._tag === 'Tallies') return { _tag: 'Tallies', tallies: queries.tallies(question.now) };
  return question._tag === 'Quarantined'
    ? { _tag: 'Quarantined', quarantined: queries.quarantined(question.eventId) }
    : { _tag: 'QuarantinedOf', positions: queries.quarantinedOf(question.text) };
};

const unavailable = (error: unknown): Answer => ({
  _tag: 'Unavailable',
  detail: error instanceof Error ? error.message : String(error),
});

const serve = (port: MessagePort, file: string): void => {
  const opened = openGenerations(file);
  // It dies with the reason, and is started again.
  if (E.isLeft(opened)) throw new Error(opened.left.detail);
  const generations = opened.right;
  let serving: OpenQueries | null = null;

  const reopen = (): void => {
    serving?.close();
    serving = openQueries(generations);
  };

  const answer = (question: Question): Answer => {
    try {
      if (serving === null) reopen();
      return serving === null ? { _tag: 'NotBuilt' } : answerTo(serving.queries, question);
    } catch (error) {
      return unavailable(error);
    }
  };

  threadEnd(port, queryProtocol).serve({
    answer,
    onNote: reopen,
    close: () => {
      serving?.close();
      generations.close();
    },
  });
};

if (parentPort !== null && typeof workerData === 'string') serve(parentPort, workerData);
