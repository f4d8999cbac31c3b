import { addAll } from '../domain/add-all.ts';
import { availableParallelism } from 'node:os';
import * as E from 'fp-ts/lib/Either.js';
import type { VerifyReport } from '../cli/output/verify-report.ts';
import type { StreamName } from '../domain/ids.ts';
import type { EventStore, StoreUnavailable } from '../event-store/event-store.ts';
import type { PartedLog } from '../event-store/parted-log.ts';
import { compared } from '../read-models/compared.ts';
import { damageOf } from '../read-models/sqlite/damage-of.ts';
import { servingGeneration } from '../read-models/sqlite/serving-generation.ts';
import { UnchangedSums } from '../read-models/sqlite/verify/unchanged-sums.ts';
import { verifyAgain } from '../read-models/sqlite/verify/verify-again.ts';
import { entriesOf, EntryVerification } from '../read-models/sqlite/verify/verify-entries.ts';
import { verifyEntriesAgain } from '../read-models/sqlite/verify/verify-entries-again.ts';
import { StepVerification } from '../read-models/sqlite/verify/verify-steps.ts';
import { strayTables, verifyStraysAgain } from '../read-models/sqlite/verify/verify-strays.ts';
import { TrailVerification } from '../read-models/sqlite/verify/verify-trail.ts';
import { readModelFailure as differs, type ReadModelProblem } from '../read-models/verification.ts';
import { isAt } from '../read-models/is-at.ts';
import { TaskPool } from './task-pool.ts';
import {
  verifyProtocol,
  type RightRowsOf,
  type StoredEntriesOf,
  type VerifyAnswer,
  type VerifyOptions,
  type VerifyTask,
  type VerifyWorkerOptions,
} from './verify-message.ts';
import { VerifyTasks } from './verify-tasks.ts';
import type { NoAnswer } from './worker-client.ts';

/** Fewer parts than these are verified before a thread would have started. */
const FEW_PARTS = 32;
const MOST_THREADS = 4;

/** Parts of one task: what a task costs beside is little then. */
const PARTS_OF_A_TASK = 8;

const SUMS = [{ _tag: 'Sums' }] as const satisfies readonly VerifyTask[];

type Failure = VerifyReport['failures'][number];

type Runner = {
  readonly run: (task: VerifyTask) => Promise<E.Either<string, VerifyAnswer>>;
  /** Runs a task wherever others were run, once they are done. */
  readonly runOnEach: (task: VerifyTask) => Promise<readonly E.Either<string, VerifyAnswer>[]>;
  readonly close: () => Promise<void>;
};

const inThreads = (options: VerifyWorkerOptions): Runner => {
  const threads = Math.max(1, Math.min(availableParallelism(), MOST_THREADS));
  const file = new URL('./verify-worker.ts', import.meta.url);
  const pool = new TaskPool({ name: 'verify', file, data: options, protocol: verifyProtocol }, threads);
  const detailIn = E.mapLeft(({ detail }: NoAnswer) => detail);
  return {
    run: async (task) => detailIn(await pool.run(task)),
    runOnEach: async (task) => (await pool.runOnEach(task)).map(detailIn),
    close: () => pool.close(),
  };
};

const here = (options: VerifyWorkerOptions): Runner => {
  const tasks = VerifyTasks.open(options);
  const run: Runner['run'] = async (task) => (E.isLeft(tasks) ? tasks : E.right(await tasks.right.run(task)));
  return {
    run,
    runOnEach: async (task) => [await run(task)],
    close: () => (E.isLeft(tasks) ? Promise.resolve() : tasks.right.close()),
  };
};

const detailOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * The steps and the trail of what serves now, which stays open until it is closed, so that they are of one generation
 * throughout. `sums`: null where the generation is not as far as the log.
 */
const openFolded = ({ readModelFile, upTo }: VerifyOptions) => {
  const opened = servingGeneration(readModelFile);
  if (typeof opened === 'string') {
    const nothing = { generation: null, database: null, steps: null, sums: null, trail: null };
    return { ...nothing, entries: { match: false }, closeFolded: () => undefined };
  }
  const { generation, database, checkpoint, close } = opened;
  try {
    const trailUpTo = isAt(checkpoint, upTo) ? upTo : (checkpoint?.position ?? null);
    const sums = checkpoint?.position === upTo ? new UnchangedSums(database) : null;
    const steps = new StepVerification(database, upTo);
    const trail = new TrailVerification(database, trailUpTo);
    return { generation, database, steps, sums, trail, entries: entriesOf(database), closeFolded: close };
  } catch (error) {
    close();
    throw error;
  }
};

/** Differences between a stream and what is kept of it: the stream may have gone on in between. */
const OF_STREAMS: ReadonlySet<string> = new Set<ReadModelProblem>([
  'read-model-order-missing',
  'read-model-order-differs',
  'read-model-quarantine-differs',
  'read-model-bank-differs',
]);

const streamOf = ({ problem, stream }: Failure): StreamName | null => (OF_STREAMS.has(problem) ? stream : null);

/** Without those that are none when they are looked at again. */
const confirmed = async (
  store: Pick<EventStore, 'readStream'>,
  readModelFile: string | null,
  failures: readonly Failure[],
): Promise<E.Either<string, readonly Failure[]>> => {
  const streams = new Set(failures.map(streamOf).filter((stream) => stream !== null));
  if (streams.size === 0) return E.right(failures);
  const again = await verifyAgain(store, readModelFile, [...streams]);
  if (E.isLeft(again)) return E.left(again.left.detail);
  const found = again.right;
  if (found === null) return E.right(failures);
  const first = new Map(failures.map((failure) => [streamOf(failure), failure] as const).toReversed());
  return E.right(
    failures.flatMap((failure): readonly Failure[] => {
      const stream = streamOf(failure);
      if (stream === null) return [failure];
      return first.get(stream) === failure ? (found.get(stream) ?? []) : [];
    }),
  );
};

/** How orders are found otherwise than by what they are; of those that something was found of already no more is said. */
const entryFailures = async (
  store: Pick<EventStore, 'readStream'>,
  readModelFile: string | null,
  [rows, stored]: readonly [readonly RightRowsOf[], readonly StoredEntriesOf[]],
  found: readonly Failure[],
): Promise<E.Either<string, readonly Failure[]>> => {
  const generation = stored[0]?.generation ?? null;
  // One that was taken into use meanwhile was built from the log.
  if (generation === null || rows.some((row) => row.generation !== generation)) return E.right([]);
  const verification = new EntryVerification();
  for (const { entries } of rows) verification.add(entries);
  for (const entries of stored) verification.addStored(entries);
  const orders = verification.suspects();
  if (orders.length === 0) return E.right([]);
  const known = new Set(found.map(({ stream }) => stream));
  const again = await verifyEntriesAgain(store, readModelFile, { generation, orders }, known);
  return E.mapLeft(({ detail }: StoreUnavailable) => detail)(again);
};

/** As `verifyLedger`; damaged read models end it. */
const proved = async (
  log: Pick<PartedLog, 'streamParts'>,
  store: Pick<EventStore, 'readStream'>,
  options: VerifyOptions,
  onProgress: (share: number, events: number) => void,
): Promise<E.Either<string, VerifyReport>> => {
  const parts = await log.streamParts()();
  if (E.isLeft(parts)) return E.left(parts.left.detail);
  const opened = E.tryCatch(() => openFolded(options), detailOf);
  if (E.isLeft(opened)) return opened;
  const { generation, database, steps, sums, trail, entries, closeFolded } = opened.right;
  const ofTrail = { stepEnds: steps?.ends ?? [], trailUpTo: trail?.upTo ?? null };
  const ofWorker = { ...options, ...ofTrail, entriesOf: entries };
  const { run, runOnEach, close } = parts.right < FEW_PARTS ? here(ofWorker) : inThreads(ofWorker);
  const partTasks = Array.from({ length: Math.ceil(parts.right / PARTS_OF_A_TASK) }, (_, task): VerifyTask => {
    const first = task * PARTS_OF_A_TASK;
    return { _tag: 'Parts', first, beyond: Math.min(first + PARTS_OF_A_TASK, parts.right) };
  });
  // Those that can't be split go first, so that none of them is left alone at the end.
  const unsplit: readonly VerifyTask[] = [
    // Before rows are read: of orders that go on meanwhile the fewest differ then.
    { _tag: 'Entries' },
    { _tag: 'Match' },
    ...(sums === null ? SUMS : []),
    { _tag: 'Trail' },
  ];
  const tasks = [...unsplit, ...partTasks];
  const rightRows: RightRowsOf[] = [];
  const stored: StoredEntriesOf[] = [];
  let done = 0;
  let report: VerifyReport = { events: 0, orders: 0, failures: [], unknownSecrets: 0 };
  const take = (answer: E.Either<string, VerifyAnswer>): string | null => {
    if (E.isLeft(answer)) return answer.left;
    if (E.isLeft(answer.right)) return answer.right.left.detail;
    const { events, orders, failures, unknownSecrets, ...folded } = answer.right.right;
    if (folded.rightRows !== null) rightRows.push(folded.rightRows);
    if (folded.storedEntries !== null) stored.push(folded.storedEntries);
    if (folded.steps !== null) steps?.add(folded.steps);
    if (folded.trail !== null) trail?.add(folded.trail);
    if (folded.trailTerms !== null) trail?.addStored(folded.trailTerms);
    done += 1;
    report = {
      events: report.events + events,
      orders: report.orders + orders,
      failures: failures.length === 0 ? report.failures : [...report.failures, ...failures],
      unknownSecrets: report.unknownSecrets + unknownSecrets,
    };
    onProgress(Math.min(done / tasks.length, 1), report.events);
    return null;
  };
  try {
    const problems = await Promise.all(tasks.map(async (task) => take(await run(task))));
    addAll(problems, (await runOnEach({ _tag: 'Rest' })).map(take));
    const problem = problems.find((found) => found !== null) ?? null;
    if (problem !== null) return E.left(problem);
    // One that was taken into use meanwhile was built from the log.
    const ofOne = rightRows.every((its) => its.generation === generation);
    const ofSteps = compared(
      () => {
        const verdict = steps?.verdict() ?? null;
        const areSumsRight = verdict !== null && ofOne && sums?.areRight(verdict, rightRows) === true;
        return { areSumsRight, failures: verdict?.failures ?? [] };
      },
      (detail) => ({ areSumsRight: false, failures: [differs('read-model-report-differs', `steps: ${detail}`)] }),
    );
    const ofTrailMarks = compared(
      () => trail?.failures() ?? [],
      (detail) => [differs('read-model-trail-differs', `the trail: ${detail}`)],
    );
    if (sums !== null && !ofSteps.areSumsRight) {
      const problemOfSums = take(await run(SUMS[0]));
      if (problemOfSums !== null) return E.left(problemOfSums);
    }
    const found = [...report.failures, ...ofSteps.failures, ...ofTrailMarks];
    const failures = await confirmed(store, options.readModelFile, found);
    if (E.isLeft(failures)) return failures;
    const ofEntries = await entryFailures(store, options.readModelFile, [rightRows, stored], failures.right);
    if (E.isLeft(ofEntries)) return ofEntries;
    const rows = rightRows.map((its) => its.found);
    const upTo = trail?.upTo ?? null;
    const suspects = database === null || upTo === null || !ofOne ? [] : strayTables(database, upTo, rows);
    const strays = await verifyStraysAgain(store, options.readModelFile, suspects);
    if (E.isLeft(strays)) return E.left(strays.left.detail);
    return E.right({ ...report, failures: [...failures.right, ...ofEntries.right, ...strays.right] });
  } finally {
    closeFolded();
    await close();
  }
};

/**
 * Proves the whole log and the read models: every event of every stream, each stream's revisions, each order against a
 * fresh fold, every sum, now and at the ends of steps, the indexes of orders and of the trail, and the match. Left says what could not be read.
 *
 * @param log the store itself, or a copy of it
 * @param onProgress told the share that is done, 0 to 1, and the events proved so far
 */
export const verifyLedger = async (
  log: Pick<PartedLog, 'streamParts'>,
  store: Pick<EventStore, 'readStream'>,
  options: VerifyOptions,
  onProgress: (share: number, events: number) => void,
): Promise<E.Either<string, VerifyReport>> => {
  const { readModelFile } = options;
  const whole = await proved(log, store, options, onProgress).catch((error: unknown) => E.left(detailOf(error)));
  if (E.isRight(whole) || readModelFile === null) return whole;
  const damage = damageOf(readModelFile);
  if (damage === null) return whole;
  // The log is what matters, and is proved whatever becomes of what is made of it.
  const ofLog = await proved(log, store, { ...options, readModelFile: null }, onProgress);
  const failure = differs('read-model-unreadable', damage);
  return E.map((report: VerifyReport) => ({ ...report, failures: [...report.failures, failure] }))(ofLog);
};
