import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { businessCalendar } from '../domain/business-day.ts';
import { RecentOrders } from '../ledger/recent-orders.ts';
import type { QueryFailure } from '../queries/failure/query-failure.ts';
import {
  readParameters,
  type ParameterTable,
  type ParameterTexts,
  type Query,
} from '../queries/parameters/parameters.ts';
import type { CloseDependencies } from '../queries/periods/close-period.ts';
import type { MonthReckoning } from '../queries/periods/month-reckoning.ts';
import type { QueryDependencies } from '../queries/query-dependencies.ts';
import type { Snapshot } from '../read-models/snapshot.ts';
import type { CommandContext, OpenLedger } from './command-context.ts';
import { commandFailure, type CommandFailure } from './command-failure.ts';
import { progressBar } from './output/progress-bar.ts';

/** What parameters are read with. */
type ParsingDeps = Pick<QueryDependencies, 'store' | 'calendar'>;

/** What questions stand on. */
export type AskingDeps = ParsingDeps &
  Pick<
    QueryDependencies,
    | 'readModels'
    | 'secretKey'
    | 'release'
    | 'matchDueDays'
    | 'statementFiles'
    | 'importTurn'
    | 'drawLineKey'
    | 'now'
    | 'waiting'
    | 'isAdjusted'
    | 'monthChecks'
  > &
  Pick<CloseDependencies, 'proofs' | 'takeMonths' | 'closingFigures' | 'isAwaited'>;

/** A question in two steps, so that wrong parameters are told at once, not after a build that may take minutes. */
export type Question<Asked, A> = {
  readonly parse: (deps: ParsingDeps) => TE.TaskEither<QueryFailure, Asked>;
  readonly answer: (deps: AskingDeps) => (asked: Asked) => TE.TaskEither<QueryFailure, A>;
};

/** What a command line's options may be: texts, and flags that stand or don't. */
type Options = Readonly<Record<string, string | true | undefined>>;

/** Options as a query string would say them. */
export const textsOf = (options: Options): ParameterTexts =>
  Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as const]));

/**
 * Options as the query parameters that they are named after, read by the route's own table.
 *
 * @param pii whether personal data is shown, and may be searched by
 */
export const parametersOf = <T extends ParameterTable>(
  options: Options,
  table: T,
  pii = false,
): E.Either<CommandFailure, Query<T>> => E.mapLeft(commandFailure)(readParameters(textsOf(options), table, () => pii));

const monthsFrom = (readModels: Snapshot, sources: ParsingDeps): MonthReckoning => ({
  closingFigures: (question) => async () =>
    (await import('../queries/periods/closing-figures.ts')).closingFigures(readModels)(question)(),
  isAdjusted: (closed) => async () =>
    (await import('../queries/periods/adjustments.ts')).isAdjusted(readModels)(closed)(),
  monthChecks: (question) => async () =>
    (await import('../queries/periods/month-checks.ts')).monthChecks({ ...sources, readModels })(question)(),
});

/** Asks read models that are brought up to the log's head of now; where there are none they are built, behind a bar. */
export const ask = async <Asked, A>(
  { terminal, now }: Pick<CommandContext, 'terminal' | 'now'>,
  {
    store,
    secretKey,
    businessTimeZone,
    matchDueDays,
    readModels,
    statementFiles,
    importTurn,
    drawLineKey,
    waiting,
    takeMonths,
    newestNote,
  }: OpenLedger,
  { parse, answer }: Question<Asked, A>,
): Promise<E.Either<CommandFailure, A>> => {
  const parsing = { store, calendar: businessCalendar(businessTimeZone) };
  const asked = await parse(parsing)();
  if (E.isLeft(asked)) return E.left(commandFailure(asked.left));
  const bar = progressBar(terminal, 'building the read models', now);
  const opened = await readModels(bar.onProgress).finally(bar.stop);
  if (E.isLeft(opened)) return opened;
  // What decides deliveries and months is loaded by the few commands that have something decided.
  const release: AskingDeps['release'] = (request) => async () => {
    const { releaseQuarantined } = await import('../ledger/release-quarantined.ts');
    // A command decides one delivery only: the history of its order would never be used again.
    return releaseQuarantined({ store, recent: new RecentOrders(0) })(request)();
  };
  try {
    const note = newestNote();
    const newest = (): TE.TaskEither<null, { readonly note: string }> =>
      note === null ? TE.left(null) : TE.right({ note });
    const proofs = { newest, including: newest };
    const deps = {
      ...parsing,
      readModels: opened.right,
      secretKey,
      release,
      matchDueDays,
      statementFiles,
      importTurn,
      drawLineKey,
      now,
      waiting,
      takeMonths,
      isAwaited: () => true,
      ...monthsFrom(opened.right, parsing),
      proofs,
    };
    return E.mapLeft(commandFailure)(await answer(deps)(asked.right)());
  } finally {
    await opened.right.close();
  }
};
