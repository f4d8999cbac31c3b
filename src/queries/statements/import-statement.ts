import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import { turnsOfEach } from '../../concurrency/turns-of-each.ts';
import { ownStream, type Position, type Revision } from '../../domain/ids.ts';
import { branded } from '../../domain/brand.ts';
import { ownEvent, readOwnEvent } from '../../domain/own-event/own-event.ts';
import type { Author } from '../../domain/own-event/own-metadata.ts';
import {
  STATEMENT_IMPORTED,
  STATEMENT_LINE,
  type StatementImportedData,
  type StatementLineData,
} from '../../domain/own-event/statement-events.ts';
import type { EventForStream } from '../../domain/new-event.ts';
import type { StatementId } from '../../domain/statement-line.ts';
import type { ProfileName } from '../../domain/statement-profile.ts';
import type { Appended, AppendError, ExpectedRevision } from '../../event-store/event-store.ts';
import { appendOwn } from '../../ledger/append-own.ts';
import type { StatementReading } from '../../statements/read-statement-file.ts';
import type { ImportedStatement } from '../../read-models/bank-questions.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import { whenIncluded } from '../parameters/position-parameter.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import { setProfile } from './profiles.ts';
import { countedLines, type CountedFile, type NamedFile } from './counted-lines.ts';
import { lineKey } from './line-key.ts';
import type { ImportedAs } from './imported-as.ts';
import type { ImportTurn } from './import-turn.ts';
import type { FileFailed, OpenedFile } from './statement-files.ts';

/** A bank file as it is handed in. */
export type StatementImport = {
  readonly bytes: Uint8Array;
  readonly reading: StatementReading;
  readonly name: string | null;
  /** The name of the profile that a table is read by. */
  readonly profile: ProfileName | null;
  /** Whether the name is to stand for that profile from now on. */
  readonly keepsProfile: boolean;
  readonly author: Author;
};

/** What an import came to, and a position that includes all of it. */
export type Imported = {
  readonly statement: StatementImportedData;
  readonly position: Position;
  /** Whether it was imported before, and now nothing was added. */
  readonly isRepeat: boolean;
  /** What the file is read as, as it was handed in now: of one that was imported before it may be something else. */
  readonly readAs: ImportedAs;
};

type Deps = Pick<QueryDependencies, 'store' | 'readModels' | 'statementFiles' | 'importTurn' | 'drawLineKey'>;
type Step<A> = Promise<E.Either<QueryFailure, A>>;

/** Imports into a store. */
const importsOf = turnsOfEach(1);

/** Lines that are read at once. */
const LINES_AT_ONCE = 100;
/** Bytes of one append: every store takes twice as many. An event that is larger goes by itself. */
const BYTES_AT_ONCE = 524_288;
/** So many lines stand in the log before what is delivered behind them, and are listed before it: whoever lists deliveries waits. */
const MOST_UNLISTED = 5_000;
const LISTED_WITHIN_MS = 5_000;
/** How often an append that lost its race is decided again. */
const MOST_TRIES = 5;

const appendFailure = (failed: AppendError | FileFailed): QueryFailure =>
  failed._tag === 'StoreUnavailable' || failed._tag === 'FileFailed'
    ? failed
    : {
        _tag: 'StoreUnavailable',
        detail: failed._tag === 'AppendRefused' ? failed.detail : 'somebody else wrote to the statement all the time',
      };

/** An import that was made before. */
type Before = Pick<Imported, 'statement' | 'position'>;

const importedOf = ({ position, by: _by, at: _at, ...statement }: ImportedStatement): Before => ({
  statement,
  position,
});

/** What a statement's stream holds: the import where it is whole, else which of these lines are there. */
type Stored = {
  readonly imported: Before | null;
  readonly revision: ExpectedRevision;
  readonly indexes: ReadonlySet<number>;
};

/** Of an import that was interrupted there may be very many lines: they are read some at a time, and none is kept. */
const stored = async ({ store }: Pick<Deps, 'store'>, id: StatementId, reading: string): Step<Stored> => {
  const indexes = new Set<number>();
  let imported: Before | null = null;
  let revision: ExpectedRevision = 'none';
  for await (const page of store.streamPages(ownStream('statement', id))) {
    if (E.isLeft(page)) return page;
    for (const recorded of page.right) {
      revision = recorded.revision;
      const read = readOwnEvent(recorded);
      if (E.isLeft(read)) continue;
      const { _tag, data } = read.right;
      if (_tag === 'StatementImported') imported = { statement: data, position: recorded.position };
      if (_tag === 'StatementLine' && data.reading === reading) indexes.add(data.index);
    }
  }
  return E.right({ imported, revision, indexes });
};

/** The import of a file, where the read models, which tell it without its lines, include one. */
const known = async (deps: Deps, statementId: StatementId, position: ImportTurn['position']): Step<Before | null> => {
  const included = await whenIncluded(deps, position)();
  if (E.isLeft(included)) return included;
  const there = await deps.readModels.statement(statementId)();
  return E.map((statement: ImportedStatement | null) => (statement === null ? null : importedOf(statement)))(there);
};

/** The lines of a file as the ledger counts them. */
const counted = async (deps: Deps, opened: OpenedFile, author: Author): Step<CountedFile> => {
  const key = await lineKey(deps, author)();
  return E.isLeft(key) ? key : await countedLines(deps, opened, key.right);
};

const next = (revision: ExpectedRevision, events: number): ExpectedRevision =>
  branded<Revision>(revision === 'none' ? events - 1 : revision + events);

/** Events in the parts in which they are appended. */
function* parts(events: readonly EventForStream[]): Generator<readonly [EventForStream, ...EventForStream[]], void> {
  let open: [EventForStream, ...EventForStream[]] | null = null;
  let bytes = 0;
  for (const one of events) {
    const size = one.event.data.length + one.event.metadata.length;
    if (open !== null && bytes + size > BYTES_AT_ONCE) {
      yield open;
      open = null;
    }
    if (open === null) [open, bytes] = [[one], size];
    else {
      open.push(one);
      bytes += size;
    }
  }
  if (open !== null) yield open;
}

/** Appends the lines that are not there yet, and gets the next ones ready while the store is at work. Answers the revision behind them. */
const appendLines = async (
  { store, readModels }: Pick<Deps, 'store' | 'readModels'>,
  opened: NamedFile,
  { revision, indexes }: Stored,
  author: Author,
): Promise<E.Either<AppendError | FileFailed, ExpectedRevision>> => {
  let expected = revision;
  let underWay: Promise<E.Either<AppendError, Pick<Appended, 'position'> | null>> = Promise.resolve(E.right(null));
  let [unlisted, areListed] = [0, true];
  for (let from = 0; from < opened.facts.lines;) {
    const lines = await opened.lines(from, LINES_AT_ONCE)();
    if (E.isLeft(lines)) {
      await underWay;
      return lines;
    }
    from += lines.right.length;
    const events = lines.right
      .filter(({ index }) => !indexes.has(index))
      .map((line): EventForStream => {
        const data: StatementLineData = { ...line, reading: opened.reading };
        return ownEvent(STATEMENT_LINE, data, author);
      });
    for (const part of parts(events)) {
      const before = await underWay;
      if (E.isLeft(before)) return before;
      const [first, ...rest] = part;
      underWay = store.append(first.stream, expected, [first.event, ...rest.map(({ event }) => event)])();
      expected = next(expected, part.length);
      unlisted += part.length;
    }
    if (unlisted < MOST_UNLISTED || !areListed) continue;
    const appended = await underWay;
    if (E.isLeft(appended)) return appended;
    const position = appended.right?.position ?? null;
    // Where the read models are down or far behind, the file does not wait for them again.
    areListed = position !== null && E.isRight(await readModels.includes(position, LISTED_WITHIN_MS)());
    unlisted = 0;
  }
  return E.map(() => expected)(await underWay);
};

/** Keeps the profile that the file was read by: it is known now that it reads one. */
const keepProfile = async (deps: Deps, { reading, profile, keepsProfile, author }: StatementImport): Step<unknown> =>
  keepsProfile && profile !== null && reading.profile !== null
    ? setProfile(deps, profile, reading.profile, author)()
    : E.right(null);

const importOpened = async (
  deps: Deps,
  request: StatementImport,
  opened: OpenedFile,
  position: ImportTurn['position'],
): Step<Imported> => {
  const { author, name, profile, bytes } = request;
  const readAs = { account: opened.facts.account, currency: opened.facts.currency };
  const before = await known(deps, opened.statementId, position);
  if (E.isLeft(before)) return before;
  if (before.right !== null) return E.right({ ...before.right, isRepeat: true, readAs });
  const its = await counted(deps, opened, author);
  if (E.isLeft(its)) return its;
  const { file, newLines } = its.right;
  const keptProfile = await keepProfile(deps, request);
  if (E.isLeft(keptProfile)) return keptProfile;
  const statement: StatementImportedData = {
    statementId: file.statementId,
    reading: file.reading,
    name,
    format: request.reading.format,
    profile,
    bytes: bytes.length,
    ...file.facts,
    newLines,
    duplicateLines: file.facts.lines - newLines,
  };
  for (let tries = 1; ; tries += 1) {
    const there = await stored(deps, file.statementId, file.reading);
    if (E.isLeft(there)) return there;
    if (there.right.imported !== null) return E.right({ ...there.right.imported, isRepeat: true, readAs });
    const lines = await appendLines(deps, file, there.right, author);
    const last = E.isLeft(lines)
      ? lines
      : await appendOwn(deps.store, lines.right, [ownEvent(STATEMENT_IMPORTED, statement, author)])();
    if (E.isRight(last)) return E.right({ statement, position: last.right.position, isRepeat: false, readAs });
    if (last.left._tag !== 'WrongExpectedRevision' || tries === MOST_TRIES) return E.left(appendFailure(last.left));
  }
};

/**
 * Imports a bank file whole or not at all (docs/spec/statements.md, Importing): its lines become events of its stream, and the
 * last event makes them count. One that was interrupted is finished by importing the file again. A file that was imported
 * answers the same and adds nothing, but is read as it is asked for now before it is looked up: otherwise whoever may not see
 * what lines say would try guesses of a file in a way in which it can't be read, be told which are right, and leave no trace.
 */
export const importStatement =
  (deps: Deps, request: StatementImport): TE.TaskEither<QueryFailure, Imported> =>
  async () => {
    const since = performance.now();
    const opened = await deps.statementFiles.open(request.bytes, request.reading)();
    if (E.isLeft(opened)) return opened;
    try {
      const kept = await deps.statementFiles.keep(opened.right.statementId, request.bytes)();
      if (E.isLeft(kept)) return kept;
      // Which of its lines are new is decided over all other files: no two are imported beside each other.
      return await importsOf(deps.store).run(request.author.by, async () => {
        const turn = await deps.importTurn(since);
        if (E.isLeft(turn)) return turn;
        try {
          return await importOpened(deps, request, opened.right, turn.right.position);
        } finally {
          turn.right.end();
        }
      });
    } finally {
      await opened.right.close();
    }
  };
