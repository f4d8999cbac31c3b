import { availableParallelism } from 'node:os';
import * as E from 'fp-ts/lib/Either.js';
import type { VerifyReport } from '../cli/verify-report.ts';
import type { PartedLog } from '../event-store/parted-log.ts';
import { TaskPool } from './task-pool.ts';
import { verifyProtocol, type VerifyAnswer, type VerifyOptions, type VerifyTask } from './verify-message.ts';
import { VerifyTasks } from './verify-tasks.ts';
import type { NoAnswer } from './worker-client.ts';

/** Fewer parts than these are verified before a thread would have started. */
const FEW_PARTS = 32;
const MOST_THREADS = 4;

type Run = (task: VerifyTask) => Promise<E.Either<string, VerifyAnswer>>;

const inThreads = (options: VerifyOptions): { readonly run: Run; readonly close: () => Promise<void> } => {
  const threads = Math.max(1, Math.min(availableParallelism(), MOST_THREADS));
  const file = new URL('./verify-worker.ts', import.meta.url);
  const pool = new TaskPool({ name: 'verify', file, data: options, protocol: verifyProtocol }, threads);
  return {
    run: async (task) => E.mapLeft(({ detail }: NoAnswer) => detail)(await pool.run(task)),
    close: () => pool.close(),
  };
};

const here = (options: VerifyOptions): { readonly run: Run; readonly close: () => Promise<void> } => {
  const tasks = VerifyTasks.open(options);
  return {
    run: async (task) => (E.isLeft(tasks) ? tasks : E.right(await tasks.right.run(task))),
    close: () => (E.isLeft(tasks) ? Promise.resolve() : tasks.right.close()),
  };
};

/**
 * Proves the whole log and the read models: every event of every stream, each stream's revisions, each order against a
 * fresh fold, every sum, the index of the trail and the match. Left says what could not be read.
 *
 * @param onProgress told the share that is done, 0 to 1, and the events proved so far
 */
export const verifyLedger = async (
  log: Pick<PartedLog, 'streamParts'>,
  options: VerifyOptions,
  onProgress: (share: number, events: number) => void,
): Promise<E.Either<string, VerifyReport>> => {
  const parts = await log.streamParts()();
  if (E.isLeft(parts)) return E.left(parts.left.detail);
  const { run, close } = parts.right < FEW_PARTS ? here(options) : inThreads(options);
  const partTasks = Array.from({ length: parts.right }, (_, part): VerifyTask => ({ _tag: 'Part', part }));
  // Those that can't be split go first, so that none of them is left alone at the end.
  const tasks: readonly VerifyTask[] = [{ _tag: 'Match' }, { _tag: 'Sums' }, { _tag: 'Trail' }, ...partTasks];
  let done = 0;
  let report: VerifyReport = { events: 0, orders: 0, failures: [], unknownSecrets: 0 };
  const verify = async (task: VerifyTask): Promise<string | null> => {
    const answer = await run(task);
    if (E.isLeft(answer)) return answer.left;
    if (E.isLeft(answer.right)) return answer.right.left.detail;
    const { events, orders, failures, unknownSecrets } = answer.right.right;
    done += 1;
    report = {
      events: report.events + events,
      orders: report.orders + orders,
      failures: failures.length === 0 ? report.failures : [...report.failures, ...failures],
      unknownSecrets: report.unknownSecrets + unknownSecrets,
    };
    onProgress(done / tasks.length, report.events);
    return null;
  };
  try {
    const problems = await Promise.all(tasks.map(verify));
    const problem = problems.find((found) => found !== null) ?? null;
    return problem === null ? E.right(report) : E.left(problem);
  } finally {
    await close();
  }
};
