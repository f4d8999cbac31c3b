import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { ApiFailure } from '../api/api-failure.ts';
import type { WrittenReply } from '../api/handed-question.ts';
import type { WrittenPage } from '../console/page.ts';
import type { QueryFailure } from '../queries/failure/query-failure.ts';
import type {
  ClosingFailure,
  ClosingFigures,
  MonthChecks,
  MonthReckoning,
} from '../queries/periods/month-reckoning.ts';
import { asker, isAwaited } from '../access/asker.ts';
import { FairBeginnings } from '../concurrency/fair-beginnings.ts';
import { FairTurns } from '../concurrency/fair-turns.ts';
import { isAt } from '../read-models/is-at.ts';
import type { ReadModels, ReadModelsUnavailable } from '../read-models/read-models.ts';
import { handedAnswer } from './handed-answer.ts';
import { LastingThread, type OnThreadState } from './lasting-thread.ts';
import { BUILD_THREAD, projectorProtocol, type ProjectorNews, type ProjectorOptions } from './projector-message.ts';
import {
  queryProtocol,
  type Answer,
  type Handed,
  type HandedPageQuestion,
  type QueryOptions,
  type Question,
} from './query-message.ts';
import type { SharedFloor } from './included-floor.ts';
import { isForEvidence, isOfOneOrder } from './of-one-order.ts';
import { behind, ProjectorProgress, type StoreAway } from './projector-progress.ts';
import { isOfMoment } from './question-of-moment.ts';
import { changesOf, statesOf } from './read-states.ts';
import { LONGEST_SLICE_LOOKS } from './thread-silence.ts';
import type { NoAnswer } from './worker-client.ts';

/** Read models in two threads beside the one that receives: one follows the log, the other answers. */
export type ThreadedReadModels = ReadModels &
  MonthReckoning & {
    /** To be called after each commit of the event store. */
    readonly appended: () => void;
    /** Somebody found that the files of the log's tree do not lead to what was signed. */
    readonly suspectTree: () => void;
    /** From what threads that open the read models by themselves answer, and below which they don't either. */
    readonly floor: SharedFloor;
    /** Answers the question of a route in the query thread; null where that can't now, and is not dying of it. */
    readonly handed: (question: Handed) => Promise<E.Either<ApiFailure, WrittenReply> | null>;
    /**
     * Left: nothing can be answered while the store is away, once it was waited for as long as a question does. Right: another
     * thread may be asked, which waits for a build itself.
     */
    readonly there: TE.TaskEither<ReadModelsUnavailable, void>;
    /** Makes a page of the console in the query thread likewise. */
    readonly handedPage: (question: HandedPageQuestion) => Promise<E.Either<QueryFailure, WrittenPage> | null>;
  };

/** What was behind a failure is included now: whoever follows the log got further. */
type GoesOn = { readonly _tag: 'GoesOn' };

/** Told of what operators should know. */
export type ReadModelsEvents = (
  news: Exclude<ProjectorNews, { readonly _tag: 'Applied' | 'BuildThreads' }> | GoesOn,
) => void;

const unavailable = (detail: string): ReadModelsUnavailable => ({ _tag: 'ReadModelsUnavailable', detail });

/** Questions that a thread has at once, some of which read the log meanwhile; what one asker has beyond waits behind others. */
const QUESTIONS_AT_ONCE = 8;

/**
 * And how many of these one asker has: whoever comes next waits for all that the thread has been asked, and not only for the
 * one that it is at. Behind one that is answered another is there already, so that it does not stand still.
 */
const OF_ONE_ASKER = 2;

/** Those as of moments let others have their turn while they are made, some for seconds. */
const OF_MOMENTS_OF_ONE_ASKER = 4;

/** Whether a question is one for a whole answer, which changes nothing, and may be large. */
const isHanded = ({ _tag }: Question): boolean => _tag === 'Handed' || _tag === 'Page';

/** Whoever asked hung up while the question waited for its turn: nothing is made for nobody. */
const NOT_AWAITED = E.left<NoAnswer>({ _tag: 'NoAnswer', detail: 'nobody waits for the answer', why: 'not awaited' });

/** How long a question waits for the first build, as long as one for a position may (docs/spec/http.md, Position). */
const FIRST_BUILD_MS = 5_000;
/** And where the store is away: for what can be believed without it, with time enough left to answer within as long. */
const BELIEVED_MS = 4_000;

/**
 * Starts the thread that follows the log; those that answer start with the first question, since a ledger that is asked
 * nothing needs none of them. They end with `close`, which waits for a batch that is under way.
 */
export const startReadModels = (
  options: ProjectorOptions,
  onEvent: ReadModelsEvents,
  onState: OnThreadState = () => undefined,
  storeAway?: StoreAway,
): ThreadedReadModels => {
  const progress = new ProjectorProgress(storeAway);
  const { location, readModelFile, timeZone } = options;
  const floor = progress.floor.shared;
  const suspectTree = (): void => projector.tell({ _tag: 'TreeSuspected' });
  const queryThread = (name: string, loadsFirst = false) =>
    new LastingThread(
      {
        name,
        file: new URL('./query-thread.ts', import.meta.url),
        data: { location, readModelFile, timeZone, loadsFirst, floor } satisfies QueryOptions,
        protocol: queryProtocol,
        answersSoon: true,
      },
      onState,
      suspectTree,
    );
  const queries = queryThread('queries');
  // What is asked of now does not wait for answers as of moments, which may take seconds; it starts with the first of them.
  const moments = queryThread('moments');
  // An order does not wait for lists, nor they for one with very many events. It starts with the first order too, which the
  // thread of lists still answers.
  const orders = queryThread('orders', true);
  let hasFailed = false;
  const onNews = (news: ProjectorNews): void => {
    if (news._tag === 'Applied') {
      progress.advance(news.checkpoint);
      if (hasFailed) onEvent({ _tag: 'GoesOn' });
      hasFailed = false;
      return;
    }
    if (news._tag === 'BuildThreads') {
      onState(BUILD_THREAD, news.state);
      return;
    }
    if (news._tag === 'Building') progress.building = news.share;
    if (news._tag === 'Built') progress.building = null;
    if (news._tag === 'Failed') {
      hasFailed = true;
      progress.fail();
    }
    if (news._tag === 'Serving' || news._tag === 'Standing') progress.serve(news.stamp, news.checkpoint);
    if (news._tag === 'OfAnotherLog') progress.disown();
    if (news._tag === 'Serving' || news._tag === 'OfAnotherLog') {
      queries.tell({ _tag: 'Reopen' });
      moments.tell({ _tag: 'Reopen' });
      orders.tell({ _tag: 'Reopen' });
    }
    onEvent(news);
  };
  const projector = new LastingThread(
    {
      name: 'projections',
      file: new URL('./projector-thread.ts', import.meta.url),
      data: options,
      protocol: projectorProtocol,
      silentAfterLooks: LONGEST_SLICE_LOOKS,
    },
    (name, state) => {
      if (state._tag === 'Down') {
        progress.building = null;
        // Those that build end with it.
        onState(BUILD_THREAD, { _tag: 'Over' });
      }
      onState(name, state);
    },
    onNews,
  );
  projector.current();

  const ofNow = { thread: queries, turns: new FairTurns(QUESTIONS_AT_ONCE, OF_ONE_ASKER) };
  const ofMoments = { thread: moments, turns: new FairTurns(QUESTIONS_AT_ONCE, OF_MOMENTS_OF_ONE_ASKER) };
  const ofOrders = { thread: orders, turns: new FairTurns(QUESTIONS_AT_ONCE, OF_ONE_ASKER) };
  // Evidence lets others have their turn while it is made, and then it is held whole: one at a time, by turns of the keys.
  const evidence = new FairTurns(1);
  // Answers come several at once, and what is made of each holds this thread.
  const goOn = new FairBeginnings();
  const askThread = async (question: Question): Promise<E.Either<NoAnswer, Answer>> => {
    const { thread, turns } = isOfMoment(question)
      ? ofMoments
      : isOfOneOrder(question) && orders.isReady()
        ? ofOrders
        : ofNow;
    const who = asker();
    const asked = () =>
      turns.run(who, () =>
        isHanded(question) && !isAwaited() ? Promise.resolve(NOT_AWAITED) : thread.current().ask(question),
      );
    const answer = await (isForEvidence(question) ? evidence.run(who, asked) : asked());
    await goOn.turn(who);
    return answer;
  };

  const ask = async (question: Question): Promise<Answer> =>
    E.getOrElse(({ detail }: NoAnswer): Answer => ({ _tag: 'Unavailable', detail }))(await askThread(question));

  const waitMs = (): number => (progress.lacksStore ? BELIEVED_MS : FIRST_BUILD_MS);

  const asked =
    <A, Trouble = never>(
      question: Question,
      read: (answer: Answer) => E.Either<ReadModelsUnavailable | Trouble, A> | null,
    ): TE.TaskEither<ReadModelsUnavailable | Trouble, A> =>
    async () => {
      const first: Answer = progress.lacksStore ? { _tag: 'NotBuilt' } : await ask(question);
      const absent = first._tag === 'NotBuilt' ? await progress.absent(waitMs()) : null;
      if (absent !== null) return E.left(absent);
      const answer = first._tag === 'NotBuilt' ? await ask(question) : first;
      if (answer._tag === 'NotBuilt') return E.left(progress.absence());
      if (answer._tag === 'Unavailable') return E.left({ ...answer, _tag: 'ReadModelsUnavailable' });
      return read(answer) ?? E.left(unavailable('the query thread answered another question'));
    };

  /** What is handed over while the store is lacking is left to whoever asks: a thread would load what it can't answer with. */
  const askHanded = (question: Question): Promise<E.Either<NoAnswer, Answer>> =>
    progress.lacksStore ? Promise.resolve(E.right({ _tag: 'NotBuilt' })) : askThread(question);

  return {
    there: async () => {
      const absent = progress.lacksStore ? await progress.absent(waitMs()) : null;
      return absent === null ? E.right(undefined) : E.left(absent);
    },
    includes: (position, withinMs) => async () => {
      if (!isAt(progress.checkpoint, position)) projector.tell({ _tag: 'Awaited', position });
      return (await progress.reaches(position, withinMs)) ? E.right(undefined) : E.left(behind(progress));
    },
    orders: (question) =>
      asked({ _tag: 'Orders', question }, (it) => {
        if (it._tag === 'MomentTooFar') return E.left(it);
        return it._tag === 'Orders' ? statesOf(it.page) : null;
      }),
    ordersWithUtr: (utr) =>
      asked({ _tag: 'OrdersWithUtr', utr }, (it) => (it._tag === 'OrdersWithUtr' ? E.right(it.orderIds) : null)),
    report: (question) =>
      asked({ _tag: 'Report', question }, (it) => (it._tag === 'Report' ? E.right(it.report) : null)),
    cells: (question) => asked({ _tag: 'Cells', question }, (it) => (it._tag === 'Cells' ? E.right(it.cells) : null)),
    figureMonths: () =>
      asked({ _tag: 'FigureMonths' }, (it) => (it._tag === 'FigureMonths' ? E.right(it.months) : null)),
    changes: (question) =>
      pipe(
        asked({ _tag: 'Changes', question }, (it) => {
          if (it._tag === 'MomentTooFar') return E.left(it);
          return it._tag === 'Changes' ? E.right(it.changes) : null;
        }),
        TE.chainW((texts) => () => changesOf(texts)),
      ),
    auditPositions: (question) =>
      asked({ _tag: 'AuditPositions', question }, (it) => (it._tag === 'AuditPositions' ? E.right(it.page) : null)),
    quarantine: (question) =>
      asked({ _tag: 'Quarantine', question }, (it) => (it._tag === 'Quarantine' ? E.right(it.page) : null)),
    quarantined: (eventId) =>
      asked({ _tag: 'Quarantined', eventId }, (it) => (it._tag === 'Quarantined' ? E.right(it.quarantined) : null)),
    quarantinedOf: (text) =>
      asked({ _tag: 'QuarantinedOf', text }, (it) => (it._tag === 'QuarantinedOf' ? E.right(it.positions) : null)),
    matchSummary: (question) =>
      asked({ _tag: 'MatchSummary', question }, (it) => (it._tag === 'MatchSummary' ? E.right(it.summary) : null)),
    matchItems: (question) =>
      asked({ _tag: 'MatchItems', question }, (it) => (it._tag === 'MatchItems' ? E.right(it.page) : null)),
    matchDecidable: (question) =>
      asked({ _tag: 'MatchDecidable', question }, (it) =>
        it._tag === 'MatchDecidable' ? E.right(it.decidable) : null,
      ),
    statements: (question) =>
      asked({ _tag: 'Statements', question }, (it) => (it._tag === 'Statements' ? E.right(it.page) : null)),
    statement: (statementId) =>
      asked({ _tag: 'Statement', statementId }, (it) => (it._tag === 'Statement' ? E.right(it.statement) : null)),
    statementLines: (question) =>
      asked({ _tag: 'StatementLines', question }, (it) => (it._tag === 'StatementLines' ? E.right(it.page) : null)),
    knownLines: (ids) =>
      asked({ _tag: 'KnownLines', ids }, (it) => (it._tag === 'KnownLines' ? E.right(it.ids) : null)),
    filesOfLines: (ids) =>
      asked({ _tag: 'FilesOfLines', ids }, (it) => (it._tag === 'FilesOfLines' ? E.right(it.files) : null)),
    transfers: (question) =>
      asked({ _tag: 'Transfers', question }, (it) => (it._tag === 'Transfers' ? E.right(it.page) : null)),
    tallies: (now) => asked({ _tag: 'Tallies', now }, (it) => (it._tag === 'Tallies' ? E.right(it.tallies) : null)),
    closingFigures: (question) =>
      asked<ClosingFigures, ClosingFailure>({ _tag: 'Closing', question }, (it) =>
        it._tag === 'Closing' ? (it.made ?? E.left(progress.absence())) : null,
      ),
    isAdjusted: ({ data: { period, from, until, figures } }) =>
      asked<boolean, QueryFailure>({ _tag: 'Adjusted', closed: { data: { period, from, until, figures } } }, (it) =>
        it._tag === 'Adjusted' ? (it.made ?? E.left(progress.absence())) : null,
      ),
    monthChecks: (question) =>
      asked<MonthChecks, QueryFailure>({ _tag: 'MonthChecks', question }, (it) =>
        it._tag === 'MonthChecks' ? it.made : null,
      ),
    progress: () => ({ checkpoint: progress.checkpoint, building: progress.building }),
    handed: async (handed) =>
      handedAnswer(await askHanded({ _tag: 'Handed', handed }), (it) => (it._tag === 'Handed' ? it.made : null)),
    handedPage: async (handed) =>
      handedAnswer(await askHanded({ _tag: 'Page', handed }), (it) => (it._tag === 'Page' ? it.made : null)),
    appended: () => projector.tell({ _tag: 'Appended' }),
    suspectTree,
    floor,
    close: async () => {
      await Promise.all([projector, queries, moments, orders].map((thread) => thread.close()));
    },
  };
};
