import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import * as E from 'fp-ts/lib/Either.js';
import type { Snapshot } from '../read-models/snapshot.ts';
import type { Queries } from '../read-models/sqlite/queries.ts';
import { directReadModels } from '../read-models/sqlite/direct-read-models.ts';
import { giveUpDamaged } from '../read-models/sqlite/give-up-damaged.ts';
import { Generations } from '../read-models/sqlite/generations.ts';
import { openQueries, openSnapshot } from '../read-models/sqlite/open-queries.ts';
import type { AnswersOf } from './answer-handed.ts';
import { wait } from '../concurrency/wait.ts';
import { IncludedFloor } from './included-floor.ts';
import { folderLost } from './ledger-location.ts';
import { LogOnDemand } from './log-on-demand.ts';
import { PastAnswers } from './past-answers.ts';
import { isOfMoment, pastQuestion } from './question-of-moment.ts';
import { isQueryOptions, queryProtocol, type Answer, type Question, type QueryOptions } from './query-message.ts';
import { ServingQueries } from './serving-queries.ts';
import { threadEnd } from './serve-thread.ts';

/** What closing a month asks. */
type OfMonths = Extract<Question, { readonly _tag: 'Closing' | 'Adjusted' | 'MonthChecks' }>;

const isOfMonths = (question: Question): question is OfMonths =>
  question._tag === 'Closing' || question._tag === 'Adjusted' || question._tag === 'MonthChecks';

const answerTo = (
  queries: Queries,
  question: Exclude<Question, { readonly _tag: 'Changes' | OfMonths['_tag'] | 'Handed' | 'Page' }>,
): Answer => {
  if (question._tag === 'Orders') return { _tag: 'Orders', page: queries.orderTexts(question.question) };
  if (question._tag === 'OrdersWithUtr') {
    return { _tag: 'OrdersWithUtr', orderIds: queries.ordersWithUtr(question.utr) };
  }
  if (question._tag === 'Report') return { _tag: 'Report', report: queries.report(question.question) };
  if (question._tag === 'Cells') return { _tag: 'Cells', cells: queries.cells(question.question) };
  if (question._tag === 'FigureMonths') return { _tag: 'FigureMonths', months: queries.figureMonths() };
  if (question._tag === 'AuditPositions') {
    return { _tag: 'AuditPositions', page: queries.auditPositions(question.question) };
  }
  if (question._tag === 'Quarantine') {
    return { _tag: 'Quarantine', page: queries.quarantine(question.question) };
  }
  if (question._tag === 'MatchSummary') {
    return { _tag: 'MatchSummary', summary: queries.matchSummary(question.question) };
  }
  if (question._tag === 'MatchItems') return { _tag: 'MatchItems', page: queries.matchItems(question.question) };
  if (question._tag === 'MatchDecidable') {
    return { _tag: 'MatchDecidable', decidable: queries.matchDecidable(question.question) };
  }
  if (question._tag === 'Statements') return { _tag: 'Statements', page: queries.statements(question.question) };
  if (question._tag === 'Statement') {
    return { _tag: 'Statement', statement: queries.statement(question.statementId) };
  }
  if (question._tag === 'StatementLines') {
    return { _tag: 'StatementLines', page: queries.statementLines(question.question) };
  }
  if (question._tag === 'KnownLines') return { _tag: 'KnownLines', ids: queries.knownLines(question.ids) };
  if (question._tag === 'FilesOfLines') return { _tag: 'FilesOfLines', files: queries.filesOfLines(question.ids) };
  if (question._tag === 'Transfers') return { _tag: 'Transfers', page: queries.transfers(question.question) };
  if (question._tag === 'Tallies') return { _tag: 'Tallies', tallies: queries.tallies(question.now) };
  return question._tag === 'Quarantined'
    ? { _tag: 'Quarantined', quarantined: queries.quarantined(question.eventId) }
    : { _tag: 'QuarantinedOf', positions: queries.quarantinedOf(question.text) };
};

const unavailable = (error: unknown): Answer => ({
  _tag: 'Unavailable',
  detail: error instanceof Error ? error.message : String(error),
});

/** Makes something when it is first asked for: an `import` takes as long as a small question also where nothing is left to load. */
const once = <A>(make: () => Promise<A>): (() => Promise<A>) => {
  let made: Promise<A> | null = null;
  return () => (made ??= make());
};

/** Between two parts of what later questions are answered quicker by; questions that came meanwhile have their turn. */
const PREPARE_REST_MS = 4;

const serve = (port: MessagePort, { location, readModelFile, timeZone, floor: shared }: QueryOptions): void => {
  const opened = Generations.open(readModelFile, folderLost(location));
  // It dies with the reason, and is started again.
  if (E.isLeft(opened)) throw new Error(opened.left.detail);
  const generations = opened.right;
  const giveUp = giveUpDamaged(generations);
  const log = new LogOnDemand(location);
  const floor = new IncludedFloor(shared);
  const serving = new ServingQueries<Queries>(() => openQueries(generations));
  /** What serves, far enough; to be used before anything else has its turn. */
  const current = (): Promise<Queries | null> =>
    floor.reachedBy(
      () => serving.now(),
      (queries) => ({ stamp: queries.stamp(), checkpoint: queries.checkpoint() }),
      (_, isFollowed) => {
        if (!isFollowed) serving.leave();
        return Promise.resolve();
      },
    );
  const currentSnapshot = (): Promise<Snapshot | null> =>
    floor.reachedBy(
      () => openSnapshot(generations),
      (snapshot) => ({ stamp: snapshot.stamp, checkpoint: snapshot.progress().checkpoint }),
      (snapshot) => snapshot.close(),
    );
  const past = new PastAnswers(log, currentSnapshot);

  const { tell, serve: serveQuestions } = threadEnd(port, queryProtocol);
  const suspectTree = (): void => tell({ _tag: 'TreeSuspected' });

  /** What answers a whole question here; null where nothing serves yet. */
  const answering = async <A>(question: Question, answerBy: (of: AnswersOf) => Promise<A>): Promise<A | null> => {
    const ofLog = await log.opened();
    // What is made of now and then must be of one state.
    const snapshot = isOfMoment(question) ? await currentSnapshot() : null;
    if (snapshot === null) {
      const followed = await current();
      if (followed === null) return null;
      return serving.use(followed, (queries) =>
        answerBy({ ...ofLog, readModels: directReadModels(queries, () => undefined), timeZone, suspectTree }),
      );
    }
    try {
      return await answerBy({ ...ofLog, readModels: snapshot, timeZone, suspectTree });
    } finally {
      await snapshot.close();
    }
  };

  // Both are loaded by ledgers that are asked such questions, not by each at its start.
  const handedAnswers = once(() => import('./answer-handed.ts'));
  const pageAnswers = once(() => import('./answer-page.ts'));
  const monthAnswers = once(() => import('./answer-months.ts'));

  const handed = async (question: Extract<Question, { readonly _tag: 'Handed' }>): Promise<Answer> => {
    const { answerHanded } = await handedAnswers();
    return { _tag: 'Handed', made: await answering(question, (of) => answerHanded(of, question.handed)) };
  };

  const page = async (question: Extract<Question, { readonly _tag: 'Page' }>): Promise<Answer> => {
    const { answerPage } = await pageAnswers();
    return { _tag: 'Page', made: await answering(question, (of) => answerPage(of, question.handed)) };
  };

  const ofMonth = async (question: OfMonths): Promise<Answer> => {
    const { answerAdjusted, answerClosing, answerMonthChecks } = await monthAnswers();
    if (question._tag === 'Closing') {
      return { _tag: 'Closing', made: await answering(question, (of) => answerClosing(of, question.question)) };
    }
    if (question._tag === 'Adjusted') {
      return { _tag: 'Adjusted', made: await answering(question, (of) => answerAdjusted(of, question.closed)) };
    }
    // Whoever asks it first waits for a build, which is under way.
    const found = await answering(question, (of) => answerMonthChecks(of, question.question));
    return found === null ? { _tag: 'NotBuilt' } : { _tag: 'MonthChecks', made: found };
  };

  let isPreparing = false;
  /** Behind the first questions, beside those that follow. */
  const prepare = async (): Promise<void> => {
    if (isPreparing) return;
    isPreparing = true;
    try {
      do await wait(PREPARE_REST_MS);
      while (serving.now()?.prepare() === true);
    } catch {
      // Nothing depends on it; whoever asks next is told what fails.
    } finally {
      isPreparing = false;
    }
  };

  const made = async (question: Question): Promise<Answer> => {
    try {
      if (question._tag === 'Handed') return await handed(question);
      if (question._tag === 'Page') return await page(question);
      if (isOfMonths(question)) return await ofMonth(question);
      const ofPast = pastQuestion(question);
      if (ofPast !== null) return await past.answer(ofPast);
      const queries = await current();
      return queries === null || question._tag === 'Changes' ? { _tag: 'NotBuilt' } : answerTo(queries, question);
    } catch (error) {
      if (giveUp(error)) serving.leave();
      return unavailable(error);
    }
  };

  const answer = async (question: Question): Promise<Answer> => {
    try {
      return await made(question);
    } finally {
      // Those of moments are answered from states of their own.
      if (!isOfMoment(question)) void prepare();
    }
  };

  serveQuestions({
    answer,
    transfer: (made) => {
      const answered = made._tag === 'Handed' || made._tag === 'Page' ? made.made : null;
      if (answered === null || answered._tag === 'Left' || !('bytes' in answered.right)) return [];
      return [answered.right.bytes.buffer];
    },
    onNote: () => {
      log.forget();
      serving.leave();
    },
    close: async () => {
      serving.leave();
      await log.close();
      generations.close();
    },
  });
};

if (parentPort !== null && isQueryOptions(workerData)) {
  if (workerData.loadsFirst) await import('./answer-handed.ts');
  serve(parentPort, workerData);
}
