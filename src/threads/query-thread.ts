import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import * as E from 'fp-ts/lib/Either.js';
import type { Queries } from '../read-models/sqlite/queries.ts';
import { openGenerations, openQueries, type OpenQueries } from '../read-models/sqlite/sqlite-projections.ts';
import { PastAnswers, pastQuestion } from './past-answers.ts';
import { queryProtocol, type Answer, type Question } from './query-message.ts';
import { threadEnd } from './serve-thread.ts';
import { isStreamOptions, type StreamOptions } from './stream-message.ts';

const answerTo = (queries: Queries, question: Exclude<Question, { readonly _tag: 'Changes' }>): Answer => {
  if (question._tag === 'Orders') return { _tag: 'Orders', page: queries.orderTexts(question.question) };
  if (question._tag === 'OrdersWithUtr') {
    return { _tag: 'OrdersWithUtr', orderIds: queries.ordersWithUtr(question.utr) };
  }
  if (question._tag === 'Report') return { _tag: 'Report', report: queries.report(question.question) };
  if (question._tag === 'Cells') return { _tag: 'Cells', cells: queries.cells(question.question) };
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

const serve = (port: MessagePort, options: StreamOptions): void => {
  const opened = openGenerations(options.readModelFile);
  // It dies with the reason, and is started again.
  if (E.isLeft(opened)) throw new Error(opened.left.detail);
  const generations = opened.right;
  const past = new PastAnswers(options.location, generations);
  let serving: OpenQueries | null = null;

  const reopen = (): void => {
    serving?.close();
    serving = openQueries(generations);
  };

  const answer = async (question: Question): Promise<Answer> => {
    try {
      const ofPast = pastQuestion(question);
      if (ofPast !== null) return await past.answer(ofPast);
      if (serving === null) reopen();
      return serving === null || question._tag === 'Changes'
        ? { _tag: 'NotBuilt' }
        : answerTo(serving.queries, question);
    } catch (error) {
      return unavailable(error);
    }
  };

  threadEnd(port, queryProtocol).serve({
    answer,
    onNote: reopen,
    close: async () => {
      serving?.close();
      await past.close();
      generations.close();
    },
  });
};

if (parentPort !== null && isStreamOptions(workerData)) serve(parentPort, workerData);
