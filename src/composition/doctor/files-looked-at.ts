import * as E from 'fp-ts/lib/Either.js';
import type { Environment } from '../../config/index.ts';
import { NOT_BEGUN } from '../../doctor/unanswered-check.ts';
import { startProcess } from '../../loading/start-process.ts';
import { FILE_LOOKS, includedIn, isFromLooker, type FileFound, type FileLook, type ToLooker } from './file-looks.ts';
import { lastSignedPosition } from './look-at-checkpoints.ts';

/** How long each look has, and all together. */
const LOOK_WITHIN_MS = 2_000;
const ALL_WITHIN_MS = 7_500;
/** A process looks at nothing of the ledger's before it has begun: on a busy machine that takes a while. */
const BEGIN_WITHIN_MS = 10_000;

/** What was found, by its look; a Left says why nothing was. */
export type FilesLookedAt = { readonly [Look in FileLook]: E.Either<string, Extract<FileFound, { _tag: Look }>> };

type Found = { -readonly [Look in FileLook]: FilesLookedAt[Look] };

const put = (all: Found, found: FileFound): void => {
  switch (found._tag) {
    case 'Folders':
      all.Folders = E.right(found);
      return;
    case 'Spool':
      all.Spool = E.right(found);
      return;
    case 'ReadModels':
      all.ReadModels = E.right(found);
      return;
    case 'Trial':
      all.Trial = E.right(found);
      return;
    case 'Log':
      all.Log = E.right(found);
  }
};

/** At which look a process stopped, and why. */
type Stopped = { readonly at: FileLook; readonly why: string };

/**
 * Has one process look, until it has looked at all (null), has ended, or stands still.
 *
 * @param withinMs how long a look may take that begins now
 * @param beginWithinMs how long it may be until one begins
 */
const looked = (
  asked: ToLooker,
  withinMs: (look: FileLook) => number,
  beginWithinMs: number,
  onFound: (found: FileFound) => void,
): Promise<Stopped | null> => {
  const { promise, resolve } = Promise.withResolvers<Stopped | null>();
  let waiting = asked.looks;
  const stop = (why: string): void => {
    const [at] = waiting;
    resolve(at === undefined ? null : { at, why });
  };
  const late = (ms: number): NodeJS.Timeout =>
    setTimeout(() => stop(`no answer within ${(ms / 1_000).toFixed(1)} s`), ms);
  // Nothing of the ledger's was asked for yet: that says nothing of a disk.
  const notBegun = (): NodeJS.Timeout => setTimeout(() => stop(NOT_BEGUN), beginWithinMs);
  const child = startProcess(new URL('./look-at-files.ts', import.meta.url));
  let timer = notBegun();
  const onMessage = (message: unknown): void => {
    if (!isFromLooker(message)) return;
    clearTimeout(timer);
    switch (message._tag) {
      case 'Begins':
        timer = late(withinMs(message.look));
        return;
      case 'Found':
        onFound(message.found);
        waiting = waiting.slice(1);
        if (waiting.length === 0) resolve(null);
        else timer = notBegun();
        return;
      case 'Failed':
        stop(message.detail);
    }
  };
  child.on('error', (error) => stop(error.message));
  child.on('exit', () => stop('the process that looked has ended'));
  child.on('message', onMessage);
  child.send(asked, () => undefined);
  return promise.finally(() => {
    clearTimeout(timer);
    child.off('message', onMessage);
    // One that stands in the system ends with that call, whoever kills it: nobody waits for it.
    child.kill('SIGKILL');
    if (child.connected) child.disconnect();
    child.unref();
  });
};

/**
 * Looks at the files of a ledger, in a process beside this one: whoever opens one on a disk that hangs stands in the system, and so
 * would all else here. What does not answer is left, and another process looks at what is behind it.
 *
 * @param beginWithinMs how long each process has before it looks, in milliseconds
 */
export const filesLookedAt = async (env: Environment, beginWithinMs = BEGIN_WITHIN_MS): Promise<FilesLookedAt> => {
  const none = E.left('it was not looked at');
  const all: Found = { Folders: none, Spool: none, ReadModels: none, Trial: none, Log: none };
  let looks: readonly FileLook[] = FILE_LOOKS;
  let leftMs = ALL_WITHIN_MS;
  // What is looked at last may be on another machine, and has bounds of its own.
  const withinMs = (look: FileLook): number => (look === 'Log' ? leftMs : LOOK_WITHIN_MS);
  while (looks.length > 0) {
    const included = E.isRight(all.ReadModels) ? includedIn(all.ReadModels.right.readModels) : null;
    const signed = E.isRight(all.Folders) ? lastSignedPosition(all.Folders.right.kept) : null;
    const asked: ToLooker = { _tag: 'Look', env, looks, included, signed };
    const stopped = await looked(asked, withinMs, beginWithinMs, (found) => put(all, found));
    if (stopped === null) break;
    all[stopped.at] = E.left(stopped.why);
    leftMs = Math.max(LOOK_WITHIN_MS, leftMs - 2 * LOOK_WITHIN_MS);
    looks = looks.slice(looks.indexOf(stopped.at) + 1);
  }
  return all;
};
