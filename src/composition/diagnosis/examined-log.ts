import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { either as E } from 'fp-ts';
import { inTime } from '../../concurrency/in-time.ts';
import type { EventHeader } from '../../domain/recorded-event.ts';
import type { Position } from '../../domain/ids.ts';
import type { StoreUnavailable } from '../../event-store/event-store.ts';
import type { Examination } from '../../event-store/examination.ts';
import { examineServer } from '../../event-store/eventstoredb/examine-server.ts';
import { examineFile } from '../../event-store/sqlite/examine-file.ts';
import type { LedgerLocation } from '../../threads/ledger-location.ts';
import { problemAndCure, type Trouble } from './problem-and-cure.ts';

/** What `doctor` found in the event store. */
export type ExaminedLog =
  /** There is no file yet. */
  | { readonly _tag: 'NotThere' }
  /** Nothing of it could be read. */
  | ({ readonly _tag: 'Away' } & Trouble)
  | {
      readonly _tag: 'Read';
      readonly about: string;
      /** Newest first. */
      readonly newest: readonly EventHeader[];
      /** Whether these are all that there are. */
      readonly isWhole: boolean;
      /** The event that the read models say they include last; null where there is none at that position, or none was asked for. */
      readonly included: EventHeader | null;
    };

/** Events that are looked at: enough for what was used lately, few enough for a second over a network. */
const EXAMINED = 5_000;

const SERVER_CURE =
  'see that EVENT_STORE_URL names the nodes and that one of them leads (its /info says so); a ledger that serves spools meanwhile';
const ACCESS_CURE =
  'give EVENT_STORE_URL a user who may read $all and write streams: deploy/set-up-store.sh applies such ACLs (docs/operating.md, Access)';

const away = (location: LedgerLocation, line: string): ExaminedLog => {
  if (location.kind === 'sqlite') {
    const { detail, cure } = problemAndCure(line, 'see that this user may read it');
    return { _tag: 'Away', detail, cure: `${cure} (EVENT_STORE_URL names the file; docs/operating.md, Backup)` };
  }
  return { _tag: 'Away', detail: line, cure: /access denied/i.test(line) ? ACCESS_CURE : SERVER_CURE };
};

/** A file in the data directory comes with the first start; one elsewhere has a folder that somebody made. */
const missingFile = (location: LedgerLocation): ExaminedLog | null => {
  if (location.kind !== 'sqlite' || existsSync(location.file)) return null;
  const folder = dirname(location.file);
  if (folder === location.dataDir || existsSync(folder)) return { _tag: 'NotThere' };
  return {
    _tag: 'Away',
    detail: `the folder of ${location.file} is not there`,
    cure: 'make the folder, or bring it back; or set EVENT_STORE_URL to where the events are',
  };
};

const examine = (location: LedgerLocation): E.Either<string, Examination> =>
  location.kind === 'sqlite'
    ? E.mapLeft(({ detail }: { readonly detail: string }) => detail)(examineFile(location.file))
    : examineServer(location);

const look = async (
  store: Examination,
  included: Position | null,
): Promise<E.Either<StoreUnavailable, Extract<ExaminedLog, { readonly _tag: 'Read' }>>> => {
  const newest = await store.newest(EXAMINED)();
  if (E.isLeft(newest)) return newest;
  const about = await store.about();
  if (E.isLeft(about)) return about;
  const known = newest.right.find(({ position }) => position === included);
  const found = known !== undefined || included === null ? E.right(known ?? null) : await store.at(included)();
  return E.map((event: EventHeader | null) => ({
    _tag: 'Read' as const,
    about: about.right,
    newest: newest.right,
    isWhole: newest.right.length < EXAMINED,
    included: event,
  }))(found);
};

/**
 * Looks at the end of the log, beside a ledger that serves or without one. It makes nothing, and ends in time whatever the
 * store does.
 *
 * @param included the last position that the read models say they include
 */
export const examineLog = async (
  location: LedgerLocation,
  included: Position | null,
  withinMs: number,
): Promise<ExaminedLog> => {
  const missing = missingFile(location);
  if (missing !== null) return missing;
  const opened = examine(location);
  if (E.isLeft(opened)) return away(location, opened.left);
  const late = E.left({ detail: `no answer within ${withinMs / 1_000} s` });
  try {
    const seen = await inTime(withinMs, look(opened.right, included), late);
    return E.isLeft(seen) ? away(location, seen.left.detail) : seen.right;
  } finally {
    await opened.right.close();
  }
};
