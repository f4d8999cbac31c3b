import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
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
import type { RecordedEvent } from '../../domain/recorded-event.ts';
import { sha256 } from '../../domain/sha256.ts';
import type { StatementId } from '../../domain/statement-line.ts';
import type { AppendError, ExpectedRevision } from '../../event-store/event-store.ts';
import { appendOwn } from '../../ledger/append-own.ts';
import type { OpenedStatement } from '../../statements/opened-statement.ts';
import type { StatementReading } from '../../statements/read-statement-file.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import { whenIncluded } from '../parameters/position-parameter.ts';
import type { QueryDependencies } from '../query-dependencies.ts';

/** A bank file as it is handed in. */
export type StatementImport = {
  readonly bytes: Uint8Array;
  readonly reading: StatementReading;
  readonly name: string | null;
  /** The name of the profile that a table is read by. */
  readonly profile: string | null;
  readonly author: Author;
};

/** What an import came to, and a position that includes all of it. */
export type Imported = { readonly statement: StatementImportedData; readonly position: Position };

type Deps = Pick<QueryDependencies, 'store' | 'readModels' | 'statementFiles'>;
type Step<A> = Promise<E.Either<QueryFailure, A>>;

/** Lines of one append: a few hundred KB, which every store takes. */
const LINES_AT_ONCE = 100;
/** Lines that are looked up at once. */
const IDS_AT_ONCE = 2_000;
/** How often an append that lost its race is decided again. */
const MOST_TRIES = 5;

const appendFailure = (failed: AppendError): QueryFailure =>
  failed._tag === 'StoreUnavailable'
    ? failed
    : {
        _tag: 'StoreUnavailable',
        detail: failed._tag === 'AppendRefused' ? failed.detail : 'somebody else wrote to the statement all the time',
      };

/** What a statement's stream holds: the import where it is whole, else which of these lines are there. */
type Stored = {
  readonly imported: Imported | null;
  readonly revision: ExpectedRevision;
  readonly indexes: ReadonlySet<number>;
};

const storedOf = (events: readonly RecordedEvent[], reading: string | null): Stored => {
  const indexes = new Set<number>();
  let imported: Imported | null = null;
  for (const recorded of events) {
    const read = readOwnEvent(recorded);
    if (E.isLeft(read)) continue;
    const { _tag, data } = read.right;
    if (_tag === 'StatementImported') imported = { statement: data, position: recorded.position };
    if (_tag === 'StatementLine' && data.reading === reading) indexes.add(data.index);
  }
  return { imported, revision: events.at(-1)?.revision ?? 'none', indexes };
};

const stored = async ({ store }: Pick<Deps, 'store'>, id: StatementId, reading: string | null): Step<Stored> =>
  E.map((events: readonly RecordedEvent[]) => storedOf(events, reading))(
    await store.readStream(ownStream('statement', id))(),
  );

/** How many lines no file has brought before. The read models must include all that was imported until now. */
const newLines = async ({ store, readModels }: Deps, opened: OpenedStatement): Step<number> => {
  const head = await store.head()();
  if (E.isLeft(head)) return head;
  const included = await whenIncluded({ store, readModels }, head.right)();
  if (E.isLeft(included)) return included;
  let known = 0;
  for (let from = 0; from < opened.facts.lines; from += IDS_AT_ONCE) {
    const lines = await opened.lines(from, IDS_AT_ONCE);
    const found = await readModels.knownLines(lines.map(({ lineId }) => lineId))();
    if (E.isLeft(found)) return found;
    known += found.right.length;
  }
  return E.right(opened.facts.lines - known);
};

const next = (revision: ExpectedRevision, events: number): ExpectedRevision =>
  branded<Revision>(revision === 'none' ? events - 1 : revision + events);

/** Appends the lines that are not there yet. Answers the revision behind them. */
const appendLines = async (
  { store }: Pick<Deps, 'store'>,
  opened: OpenedStatement,
  { revision, indexes }: Stored,
  author: Author,
): Promise<E.Either<AppendError, ExpectedRevision>> => {
  let expected = revision;
  for (let from = 0; from < opened.facts.lines; from += LINES_AT_ONCE) {
    const lines = await opened.lines(from, LINES_AT_ONCE);
    const [first, ...rest] = lines
      .filter(({ index }) => !indexes.has(index))
      .map((line): EventForStream => {
        const data: StatementLineData = { ...line, reading: opened.reading };
        return ownEvent(STATEMENT_LINE, data, author);
      });
    if (first === undefined) continue;
    const appended = await appendOwn(store, expected, [first, ...rest])();
    if (E.isLeft(appended)) return appended;
    expected = next(expected, rest.length + 1);
  }
  return E.right(expected);
};

const importOpened = async (deps: Deps, request: StatementImport, opened: OpenedStatement): Step<Imported> => {
  const { author, name, profile, bytes } = request;
  const fresh = await newLines(deps, opened);
  if (E.isLeft(fresh)) return fresh;
  const statement: StatementImportedData = {
    statementId: opened.statementId,
    reading: opened.reading,
    name,
    format: request.reading.format,
    profile,
    bytes: bytes.length,
    ...opened.facts,
    newLines: fresh.right,
    duplicateLines: opened.facts.lines - fresh.right,
  };
  for (let tries = 1; ; tries += 1) {
    const before = await stored(deps, opened.statementId, opened.reading);
    if (E.isLeft(before)) return before;
    if (before.right.imported !== null) return E.right(before.right.imported);
    const lines = await appendLines(deps, opened, before.right, author);
    const last = E.isLeft(lines)
      ? lines
      : await appendOwn(deps.store, lines.right, [ownEvent(STATEMENT_IMPORTED, statement, author)])();
    if (E.isRight(last)) return E.right({ statement, position: last.right.position });
    if (last.left._tag !== 'WrongExpectedRevision' || tries === MOST_TRIES) return E.left(appendFailure(last.left));
  }
};

/**
 * Imports a bank file whole or not at all (docs/spec/statements.md, Importing): its lines become events of its stream, and the
 * last event makes them count. One that was interrupted is finished by importing the file again. A file that was imported
 * answers the same and adds nothing.
 */
export const importStatement =
  (deps: Deps, request: StatementImport): TE.TaskEither<QueryFailure, Imported> =>
  async () => {
    const statementId = sha256(request.bytes);
    const there = await stored(deps, statementId, null);
    if (E.isLeft(there)) return there;
    if (there.right.imported !== null) return E.right(there.right.imported);
    const opened = await deps.statementFiles.open(request.bytes, request.reading)();
    if (E.isLeft(opened)) return opened;
    try {
      const kept = await deps.statementFiles.keep(statementId, request.bytes)();
      return E.isLeft(kept) ? kept : await importOpened(deps, request, opened.right);
    } finally {
      await opened.right.close();
    }
  };
