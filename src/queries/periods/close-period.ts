import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Position } from '../../domain/ids.ts';
import type { Month } from '../../domain/month.ts';
import { fitsEveryStore } from '../../domain/new-event.ts';
import { ownEvent } from '../../domain/own-event/own-event.ts';
import type { Author } from '../../domain/own-event/own-metadata.ts';
import { PERIOD_CLOSED, type PeriodClosedData } from '../../domain/own-event/period-events.ts';
import type { RecordedEvent } from '../../domain/recorded-event.ts';
import type { AppendError } from '../../event-store/event-store.ts';
import { appendOwn } from '../../ledger/append-own.ts';
import type { AsOf } from '../../read-models/read-models.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import { noted } from '../note.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import { knownPeriod } from './known-period.ts';
import { oneByOne } from './one-by-one.ts';
import { momentOfAnswers } from './period-cells.ts';
import type { CheckName, Readiness } from './readiness-check.ts';
import { readiness, type ReadinessDependencies } from './readiness.ts';
import type { BoundedPeriod } from './read-period.ts';

/** What somebody says who closes a month. */
export type CloseRequest = {
  readonly note: string;
  /** Checks that may be not well. */
  readonly despite: readonly CheckName[];
};

/** The signed log as it is, and as soon as it includes a position: of `ProofLog`, what a close carries of it. */
type SignedLogs = {
  readonly newest: () => TE.TaskEither<unknown, { readonly note: string }>;
  readonly including: (
    position: Position | null,
    withinMs: number,
  ) => TE.TaskEither<unknown, { readonly note: string }>;
};

/** How long a close waits for a checkpoint that includes what it closes: they are signed a second apart. */
const SIGNED_WITHIN_MS = 1_500;

export type CloseDependencies = ReadinessDependencies &
  Pick<QueryDependencies, 'calendar' | 'takeMonths' | 'closingFigures' | 'isAwaited'> & {
    readonly proofs: SignedLogs;
  };

const TOO_LARGE: QueryFailure = { _tag: 'PeriodTooLarge' };
const ALREADY_CLOSED: QueryFailure = { _tag: 'PeriodAlreadyClosed' };

const OF_ANOTHER_LOG: QueryFailure = {
  _tag: 'ReadModelsBehind',
  detail: 'the read models include an event that is not in the log; run "ramp-ledger replay"',
};

/** The last event that the read models include. */
const lastIncluded = (
  { store, readModels }: CloseDependencies,
  month: Month,
): TE.TaskEither<QueryFailure, RecordedEvent | null> =>
  pipe(
    momentOfAnswers(readModels, month),
    TE.chainW(({ checkpoint }): TE.TaskEither<QueryFailure, RecordedEvent | null> =>
      checkpoint === null
        ? TE.right(null)
        : pipe(
            store.readAt([checkpoint.position]),
            TE.chainW(([event]) => (event === undefined ? TE.left(OF_ANOTHER_LOG) : TE.right(event))),
          ),
    ),
  );

/** The note of the newest checkpoint, of one that includes an event where that is signed soon; null where there is none. */
const checkpointWith = (
  { proofs }: CloseDependencies,
  last: RecordedEvent | null,
): TE.TaskEither<never, string | null> =>
  pipe(
    proofs.including(last?.position ?? null, SIGNED_WITHIN_MS),
    TE.orElse(() => proofs.newest()),
    TE.map(({ note }): string | null => note),
    TE.orElse((): TE.TaskEither<never, string | null> => TE.right(null)),
  );

const closedData = (
  deps: CloseDependencies,
  period: BoundedPeriod,
  { note, despite }: CloseRequest,
  { checks }: Readiness,
): TE.TaskEither<QueryFailure, PeriodClosedData> => {
  const { timeZone } = deps.calendar;
  return pipe(
    lastIncluded(deps, period.period),
    TE.bindTo('last'),
    TE.let('asOf', ({ last }): AsOf => ({
      checkpoint: last === null ? null : { position: last.position, at: last.recordedAt },
    })),
    TE.bindW('kept', ({ asOf }) =>
      deps.closingFigures({ month: period.period, from: period.from, until: period.until, asOf, timeZone }),
    ),
    TE.bindW('checkpoint', ({ last }) => checkpointWith(deps, last)),
    TE.map(({ last, asOf, kept, checkpoint }): PeriodClosedData => ({
      period: period.period,
      timeZone,
      from: period.from,
      until: period.until,
      through: last === null ? null : { stream: last.stream, revision: last.revision },
      asOf: asOf.checkpoint,
      checkpoint,
      note,
      despite,
      checks: checks.map(({ name, ok, count, detail }) => ({ name, ok, count, detail })),
      reports: kept.reports,
      figures: kept.figures,
    })),
  );
};

/** What a lost append means, where only a close or a reopening could have won. */
export const periodFailure =
  (lost: QueryFailure) =>
  (failure: AppendError): QueryFailure => {
    if (failure._tag === 'WrongExpectedRevision') return lost;
    return failure._tag === 'AppendRefused' ? { _tag: 'NotRecorded', failure } : failure;
  };

/**
 * Closes a month: its figures, as of one position, and what was looked at before, are kept in one event, at the revision
 * of the month's stream that was read. Of two who close at once one is told that it is closed already.
 */
export const closePeriod = (
  deps: CloseDependencies,
  name: string,
  request: CloseRequest,
  author: Author,
): TE.TaskEither<QueryFailure, void> =>
  noted(
    request.note,
    oneByOne(
      deps,
      author.by,
      pipe(
        knownPeriod(deps, name),
        TE.chainEitherKW(({ period }) => (period.closed === null ? E.right(period) : E.left(ALREADY_CLOSED))),
        TE.bindTo('period'),
        TE.bind('found', ({ period }) => readiness(deps, period.period)),
        TE.chainFirstEitherKW(({ found }) => {
          const known: readonly string[] = request.despite;
          const checks = found.checks.filter(({ name: check, ok }) => !ok && !known.includes(check));
          return checks.length === 0
            ? E.right(undefined)
            : E.left<QueryFailure>({ _tag: 'PeriodNotReady', checks: checks.map(({ name: check }) => check) });
        }),
        TE.bind('data', ({ period, found }) => closedData(deps, period, request, found)),
        TE.let('closed', ({ data }) => ownEvent(PERIOD_CLOSED, data, author)),
        TE.filterOrElseW(
          ({ closed }) => fitsEveryStore(closed.event),
          () => TOO_LARGE,
        ),
        TE.chainW(({ period, closed }) =>
          pipe(
            appendOwn(deps.store, period.revision ?? 'none', [closed]),
            TE.bimap(periodFailure(ALREADY_CLOSED), () => undefined),
          ),
        ),
      ),
    ),
  );
