import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { isAt } from '../is-at.ts';
import type { ReadModelsUnavailable } from '../read-models.ts';
import type { Snapshot } from '../snapshot.ts';
import type { Queries } from './queries.ts';

type Asked = <A>(ask: () => A) => TE.TaskEither<ReadModelsUnavailable, A>;

const askedWhere =
  (fault: () => string | null): Asked =>
  (ask) =>
    TE.fromIOEither(() => {
      const detail = fault();
      if (detail !== null) return E.left({ _tag: 'ReadModelsUnavailable', detail });
      return E.tryCatch(ask, (error) => ({
        _tag: 'ReadModelsUnavailable',
        detail: error instanceof Error ? error.message : String(error),
      }));
    });

/**
 * Read models in the thread that asks, as far as they were brought before; they stay there where the queries are of one state.
 *
 * @param fault why nothing is answered any more, asked before each question; null: it is
 */
export const directReadModels = (
  queries: Queries,
  close: () => void,
  fault: () => string | null = () => null,
): Snapshot => directlyAsked(queries, close, askedWhere(fault));

const directlyAsked = (queries: Queries, close: () => void, asked: Asked): Snapshot => ({
  includes: (position) =>
    TE.chainW(() =>
      isAt(queries.checkpoint(), position)
        ? TE.right(undefined)
        : TE.left({ _tag: 'ReadModelsBehind' as const, detail: `they do not include position ${position} yet` }),
    )(asked(() => undefined)),
  orders: (question) => asked(() => queries.orders(question)),
  ordersWithout: (question, isLeftOut) => asked(() => queries.ordersWithout(question, isLeftOut)),
  ordersAtMost: (filter) => asked(() => queries.ordersAtMost(filter)),
  ordersWithUtr: (utr) => asked(() => queries.ordersWithUtr(utr)),
  report: (question) => asked(() => queries.report(question)),
  cells: (question) => asked(() => queries.cells(question)),
  figureMonths: () => asked(() => queries.figureMonths()),
  // Only the log knows what was: see `withPast`.
  changes: () => TE.left({ _tag: 'ReadModelsUnavailable', detail: 'the log is not at hand' }),
  timeZone: queries.timeZone,
  order: (orderId) => queries.order(orderId),
  steps: () => asked(() => queries.steps()),
  cellsOfSteps: (question, first, last) => asked(() => queries.cellsOfSteps(question, first, last)),
  auditPositions: (question) => asked(() => queries.auditPositions(question)),
  quarantine: (question) => asked(() => queries.quarantine(question)),
  quarantined: (eventId) => asked(() => queries.quarantined(eventId)),
  quarantinedOf: (text) => asked(() => queries.quarantinedOf(text)),
  matchSummary: (question) => asked(() => queries.matchSummary(question)),
  matchItems: (question) => asked(() => queries.matchItems(question)),
  matchDecidable: (question) => asked(() => queries.matchDecidable(question)),
  statements: (question) => asked(() => queries.statements(question)),
  statement: (statementId) => asked(() => queries.statement(statementId)),
  statementLines: (question) => asked(() => queries.statementLines(question)),
  knownLines: (ids) => asked(() => queries.knownLines(ids)),
  filesOfLines: (ids) => asked(() => queries.filesOfLines(ids)),
  transfers: (question) => asked(() => queries.transfers(question)),
  tallies: (now) => asked(() => queries.tallies(now)),
  progress: () => ({ checkpoint: queries.checkpoint(), building: null }),
  close: () => {
    close();
    return Promise.resolve();
  },
});
