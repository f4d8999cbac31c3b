import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { inTime } from '../../concurrency/in-time.ts';
import type { ExaminedLog, LogAway } from '../../doctor/examined-log.ts';
import type { Position, SecretId } from '../../domain/ids.ts';
import type { EventHeader } from '../../domain/recorded-event.ts';
import type { Examination, ExaminationFailure } from '../../event-store/examination.ts';
import { examineFile } from '../../event-store/sqlite/examine-file.ts';
import { storeExists } from '../../event-store/sqlite/sqlite-event-store.ts';
import type { SecretKeyById } from '../../ledger/verify-event.ts';
import type { LedgerLocation } from '../../threads/ledger-location.ts';
import { unprovenSecrets } from './unproven-secrets.ts';

/** Events that are looked at: enough for what was used lately, few enough for a second over a network. */
const EXAMINED = 5_000;

const away = ({ _tag: reason, detail, cure }: ExaminationFailure): LogAway => ({ _tag: 'Away', reason, detail, cure });

/** A file in the data directory comes with the first start; one elsewhere has a folder that somebody made. */
const missingFile = (location: LedgerLocation): ExaminedLog | null => {
  if (location.kind !== 'sqlite' || storeExists(location)) return null;
  const folder = dirname(location.file);
  if (folder === location.dataDir || existsSync(folder)) return { _tag: 'NotThere' };
  return { _tag: 'Away', reason: 'FolderMissing', detail: `the folder of ${location.file} is not there`, cure: null };
};

const examine = async (location: LedgerLocation): Promise<E.Either<ExaminationFailure, Examination>> => {
  if (location.kind === 'sqlite') return examineFile(location.file);
  const { examineServer } = await import('../../event-store/eventstoredb/examine-server.ts');
  return examineServer(location);
};

const look = async (
  store: Examination,
  included: Position | null,
  signed: Position | null,
  keyOf: SecretKeyById | null,
): Promise<E.Either<ExaminationFailure, Extract<ExaminedLog, { readonly _tag: 'Read' }>>> => {
  const newest = await store.newest(EXAMINED)();
  if (E.isLeft(newest)) return newest;
  const about = await store.about();
  if (E.isLeft(about)) return about;
  const at = async (wanted: Position | null): Promise<E.Either<ExaminationFailure, EventHeader | null>> => {
    const known = newest.right.find(({ position }) => position === wanted);
    return known !== undefined || wanted === null ? E.right(known ?? null) : store.at(wanted)();
  };
  const lastIncluded = await at(included);
  if (E.isLeft(lastIncluded)) return lastIncluded;
  const unproven = keyOf === null ? E.right(null) : await unprovenSecrets(store, newest.right, keyOf);
  if (E.isLeft(unproven)) return unproven;
  return E.map((lastSigned: EventHeader | null) => ({
    _tag: 'Read' as const,
    about: about.right,
    newest: newest.right,
    isWhole: newest.right.length < EXAMINED,
    included: lastIncluded.right,
    signed: lastSigned,
    ...(unproven.right === null ? {} : { unproven: unproven.right }),
  }))(await at(signed));
};

/**
 * Looks at the end of the log, beside a ledger that serves or without one. It makes nothing, and ends in time whatever the
 * store does.
 *
 * @param included the last position that the read models say they include
 * @param signed that of the last event that was signed
 * @param keyOf what the newest event of each secret is proved with; null: none is
 */
export const examineLog = async (
  location: LedgerLocation,
  included: Position | null,
  signed: Position | null,
  withinMs: number,
  keyOf: SecretKeyById | null = null,
): Promise<ExaminedLog> => {
  const missing = missingFile(location);
  if (missing !== null) return missing;
  const opened = await examine(location);
  if (E.isLeft(opened)) return away(opened.left);
  const late = E.left<ExaminationFailure>({
    _tag: location.kind === 'sqlite' ? 'FileUnreadable' : 'ServerAway',
    detail: `no answer within ${withinMs / 1_000} s`,
    cure: null,
  });
  try {
    const seen = await inTime(withinMs, look(opened.right, included, signed, keyOf), late);
    return E.isLeft(seen) ? away(seen.left) : seen.right;
  } finally {
    await opened.right.close();
  }
};

/**
 * The secrets whose newest event before a moment, of the last 5,000 events, is not signed with the value that they have now. A
 * Left: the store does not say.
 *
 * @param beforeMs in ms since the epoch
 */
export const examineSecrets = async (
  location: LedgerLocation,
  keyOf: SecretKeyById,
  beforeMs: number,
): Promise<E.Either<ExaminationFailure, readonly SecretId[]>> => {
  if (missingFile(location) !== null) return E.right([]);
  const opened = await examine(location);
  if (E.isLeft(opened)) return opened;
  try {
    const newest = await opened.right.newest(EXAMINED)();
    return E.isLeft(newest) ? newest : await unprovenSecrets(opened.right, newest.right, keyOf, beforeMs);
  } finally {
    await opened.right.close();
  }
};
