import { either as E, type taskEither as TE } from 'fp-ts';
import type { ApiDependencies } from '../api/api-dependencies.ts';
import { readParameters, type ParameterTable, type ParameterTexts, type Query } from '../api/parameters.ts';
import { businessCalendar } from '../domain/business-day.ts';
import type { Problem } from '../http/problem.ts';
import { RecentOrders } from '../ledger/recent-orders.ts';
import { releaseQuarantined } from '../ledger/release-quarantined.ts';
import { cellText } from './cell-text.ts';
import type { CommandContext, CommandFailure, OpenLedger } from './command-context.ts';
import { progressBar } from './progress-bar.ts';
import { unopenedReadModels } from './unopened-read-models.ts';

/** What the questions of the HTTP interface stand on, without what only HTTP needs. */
type QuestionDeps = Pick<ApiDependencies, 'store' | 'readModels' | 'calendar' | 'secretKey' | 'release' | 'now'>;

/** A question of the HTTP interface, as `src/api` asks it. */
export type Question<A> = (deps: QuestionDeps) => TE.TaskEither<Problem, A>;

/** What a command line's options may be: texts, and flags that stand or don't. */
type Options = Readonly<Record<string, string | true | undefined>>;

/** The option that stands for a parameter: `--group-by` for `groupBy`. */
export const optionOf = (parameter: string): string =>
  `--${parameter.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/**
 * A problem as a command ends with it (docs/spec/command-line.md, Exit statuses): an ill-formed parameter is wrong
 * usage, and its option is named; of all others the operator, who asks, is told the cause too.
 */
export const failureOf = ({ code, detail, cause }: Problem): CommandFailure => {
  if (code === 'invalid-parameter') return { status: 2, line: detail.replace(/^\w+(?=: )/, optionOf) };
  return { status: 1, line: cellText(cause === undefined || cause === detail ? detail : `${detail} (${cause})`) };
};

const depsOf = (
  { now }: CommandContext,
  { store, secretKey, businessTimeZone }: OpenLedger,
  readModels: QuestionDeps['readModels'],
): QuestionDeps => ({
  store,
  readModels,
  calendar: businessCalendar(businessTimeZone),
  secretKey,
  // A command decides one delivery and ends: there is no next one that a kept history would serve.
  release: releaseQuarantined({ store, recent: new RecentOrders(0) }),
  now,
});

/** Options as a query string would say them. */
export const textsOf = (options: Options): ParameterTexts =>
  Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as const]));

/** Options as the query parameters that they are named after, read by the route's own table; personal data is masked. */
export const parametersOf = <T extends ParameterTable>(
  options: Options,
  table: T,
): E.Either<CommandFailure, Query<T>> => E.mapLeft(failureOf)(readParameters(textsOf(options), table, () => false));

/** Asks read models that are brought up to the log's head of now; where there are none they are built, behind a bar. */
export const ask = async <A>(
  context: CommandContext,
  ledger: OpenLedger,
  question: Question<A>,
): Promise<E.Either<CommandFailure, A>> => {
  const bar = progressBar(context.terminal, 'building the read models', context.now);
  const opened = await ledger.readModels(bar.onProgress).finally(bar.stop);
  if (E.isLeft(opened)) return opened;
  try {
    return E.mapLeft(failureOf)(await question(depsOf(context, ledger, opened.right))());
  } finally {
    await opened.right.close();
  }
};

/** `ask` for a question with parameters: what is wrong with them is said at once, not after a build that may take minutes. */
export const askWith = async <A>(
  context: CommandContext,
  ledger: OpenLedger,
  question: Question<A>,
): Promise<E.Either<CommandFailure, A>> => {
  const tried = await question(depsOf(context, ledger, unopenedReadModels))();
  if (E.isLeft(tried) && tried.left.code === 'invalid-parameter') return E.left(failureOf(tried.left));
  return ask(context, ledger, question);
};
