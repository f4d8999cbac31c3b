import * as E from 'fp-ts/lib/Either.js';
import type { CommandFailure } from '../../cli/command-failure.ts';
import { boundHeaps } from '../../concurrency/bounded-heaps.ts';
import { inTime } from '../../concurrency/in-time.ts';
import type { Environment } from '../../config/index.ts';
import { askedToStop } from '../asked-to-stop.ts';
import { endProcess } from '../end-process.ts';
import { killBehind } from '../kill-behind.ts';
import { killedWhenDeaf } from '../killed-when-deaf.ts';
import { leastMemory } from '../least-memory.ts';
import { leastOpenFiles } from '../least-open-files.ts';
import { startLedger } from '../ledger/start-ledger.ts';

/** Whatever does not end by then is left to the end of the process: each part has a bound of its own, which this is behind. */
const END_WITHIN_MS = 9_500;

/** By then it has ended, unless the parts took longer: threads that only wait for their turns have at least a second and a half. */
const WHOLE_END_MS = 9_800;
const LEAST_FOR_THREADS_MS = 1_500;

/** Behind all bounds of the end: this thread itself may stand in a call to a disk that hangs. */
const KILLED_BEHIND_MS = 13_500;

/** Runs the ledger until it is told to stop. */
export const serve = async (env: Environment): Promise<E.Either<CommandFailure, void>> => {
  const files = leastOpenFiles();
  if (E.isLeft(files)) return files;
  const memory = leastMemory();
  if (E.isLeft(memory)) return memory;
  boundHeaps();
  // Before it is listening: whoever reads that it is may tell it to stop at once.
  const stop = askedToStop();
  // The start waits in this thread for disks, which may hang.
  const hearNothing = killedWhenDeaf(['SIGTERM', 'SIGINT'], KILLED_BEHIND_MS);
  void stop.then(() => killBehind(KILLED_BEHIND_MS));
  const started = await startLedger(env);
  await hearNothing();
  if (E.isLeft(started)) return started;
  const { log, stop: end } = started.right;
  const signal = await stop;
  const since = performance.now();
  log.logger.info({ signal }, 'stopping');
  await inTime(END_WITHIN_MS, end(), undefined);
  log.logger.info('stopped');
  await log.flush();
  const leftMs = Math.max(LEAST_FOR_THREADS_MS, WHOLE_END_MS - (performance.now() - since));
  // Only a disk that hangs would keep the process now: what a silent network holds is left.
  return endProcess((why) => {
    if (why === 'stuck') log.logger.error('a call to a disk does not return: the process kills itself');
    else log.logger.error('a thread is still at work at what can not be cut off: the process kills itself');
    return log.flush();
  }, leftMs);
};
