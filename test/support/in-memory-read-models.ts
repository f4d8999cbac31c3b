import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Calendar } from '../../src/domain/business-day.ts';
import type { Position } from '../../src/domain/ids.ts';
import type { RecordedEvent } from '../../src/domain/recorded-event.ts';
import type { Checkpoint, ReadModels, ReadModelsUnavailable } from '../../src/read-models/read-models.ts';
import type { Snapshot } from '../../src/read-models/snapshot.ts';
import type { InMemoryEventStore } from './in-memory-event-store.ts';
import { NaiveBank } from './naive-bank.ts';
import { NaiveAnswers } from './naive-answers.ts';

/** The port on a fold of everything for each question, and what a test does to it. */
export type InMemoryReadModels = ReadModels & {
  /** The read models as they are now. */
  readonly snapshot: () => TE.TaskEither<ReadModelsUnavailable, Snapshot>;
  /** How many snapshots are open. */
  readonly openSnapshots: () => number;
  /** Keeps the read models where they are, whatever is appended. */
  readonly hold: () => void;
  /** Takes the read models away, with the reason that they then give. */
  readonly takeAway: (detail: string) => void;
  /** How long they were asked to wait for a position, each time. */
  readonly waits: readonly number[];
};

export const inMemoryReadModels = (
  store: Pick<InMemoryEventStore, 'recorded'>,
  calendar: Calendar,
): InMemoryReadModels => {
  const waits: number[] = [];
  let held: readonly RecordedEvent[] | null = null;
  let away: ReadModelsUnavailable | null = null;

  let openSnapshots = 0;

  const included = (): readonly RecordedEvent[] => held ?? store.recorded();
  const checkpoint = (): Checkpoint | null => {
    const last = included().at(-1);
    return last === undefined ? null : { position: last.position, at: last.recordedAt };
  };
  const answer = <A>(ask: (answers: NaiveAnswers) => A): TE.TaskEither<ReadModelsUnavailable, A> =>
    TE.fromIOEither(() => (away === null ? E.right(ask(new NaiveAnswers(included(), calendar))) : E.left(away)));

  const bank = <A>(ask: (answers: NaiveBank) => A): TE.TaskEither<ReadModelsUnavailable, A> =>
    TE.fromIOEither(() => (away === null ? E.right(ask(new NaiveBank(included()))) : E.left(away)));

  const includes = (position: Position, withinMs: number): ReturnType<ReadModels['includes']> =>
    pipe(
      answer(({ events }) => events.some((event) => event.position === position)),
      TE.chainW((isThere) => {
        waits.push(withinMs);
        return isThere ? TE.right(undefined) : TE.left({ _tag: 'ReadModelsBehind' as const, detail: 'held' });
      }),
    );

  const snapshot = (): Snapshot => {
    const events = [...included()];
    const then = inMemoryReadModels({ recorded: () => events }, calendar);
    openSnapshots += 1;
    return {
      ...then,
      // No more than a bound is asked for.
      timeZone: calendar.timeZone,
      order: (orderId) => new NaiveAnswers(events, calendar).projected(orderId),
      // Nothing is kept of steps: what was is always folded anew.
      steps: () => TE.right([]),
      cellsOfSteps: () => TE.right([]),
      ordersWithout: ({ limit, ...question }, isLeftOut) =>
        pipe(
          answer((answers) => answers.orders({ ...question, limit: Number.MAX_SAFE_INTEGER, counted: false })),
          TE.map(({ data }) => data.filter(({ orderId }) => !isLeftOut(orderId))),
          TE.map((data) => ({ data: data.slice(0, limit), more: data.length > limit })),
        ),
      ordersAtMost: () => TE.right(new Set(events.map(({ stream }) => stream)).size),
      close: () => {
        openSnapshots -= 1;
        return Promise.resolve();
      },
    };
  };

  return {
    snapshot: () => answer(snapshot),
    openSnapshots: () => openSnapshots,
    includes,
    orders: (question) => answer((answers) => answers.at(question.asOf).orders(question)),
    ordersWithUtr: (utr) => answer((answers) => answers.ordersWithUtr(utr)),
    report: (question) =>
      answer((answers) => ({
        ...answers.at(question.asOf).report(question),
        timeZone: calendar.timeZone,
        asOf: question.asOf === undefined ? checkpoint() : question.asOf.checkpoint,
      })),
    cells: (question) =>
      answer((answers) => ({
        cells: answers.at(question.asOf).cells(question),
        timeZone: calendar.timeZone,
        asOf: question.asOf === undefined ? checkpoint() : question.asOf.checkpoint,
      })),
    figureMonths: () => answer((answers) => answers.figureMonths()),
    changes: (question) => answer((answers) => answers.changes(question)),
    // An index of terms holds nothing else, so that its candidates are of any type and time.
    auditPositions: ({ term, ...filter }) =>
      answer((answers) =>
        answers.auditPositions(
          term === null ? { ...filter, term } : { ...filter, term, type: null, from: null, to: null },
        ),
      ),
    quarantine: (question) => answer((answers) => answers.quarantine(question)),
    quarantined: (eventId) =>
      answer(
        (answers) =>
          answers
            .quarantine({ state: null, after: null, limit: Number.MAX_SAFE_INTEGER })
            .data.find((it) => it.eventId === eventId) ?? null,
      ),
    quarantinedOf: (orderId) => answer((answers) => answers.quarantinedOf(orderId)),
    // The match is tested on read models that are stored.
    matchSummary: () => answer(() => ({ asOf: checkpoint(), hasStatements: false, due: null, rows: [] })),
    matchItems: () => answer(() => ({ data: [], next: null })),
    matchDecidable: ({ ids }) => answer(() => ({ item: null, decision: null, named: ids.map(() => null), facts: [] })),
    statements: (question) => bank((answers) => answers.statements(question)),
    statement: (statementId) => bank((answers) => answers.statement(statementId)),
    statementLines: (question) => bank((answers) => answers.statementLines(question)),
    knownLines: (ids) => bank((answers) => answers.knownLines(ids)),
    filesOfLines: (ids) => bank((answers) => answers.filesOfLines(ids)),
    transfers: (question) => bank((answers) => answers.transfers(question)),
    tallies: (now) => answer((answers) => answers.tallies(now)),
    progress: () => ({ checkpoint: checkpoint(), building: null }),
    close: () => Promise.resolve(),
    hold: () => {
      held = [...store.recorded()];
    },
    takeAway: (detail) => {
      away = { _tag: 'ReadModelsUnavailable', detail };
    },
    waits,
  };
};
