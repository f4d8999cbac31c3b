import type Database from 'better-sqlite3';
import * as E from 'fp-ts/lib/Either.js';
import { atMost } from '../../../concurrency/at-most.ts';
import { bodyOfQuarantineStream, ownStream, type Position, type StreamName } from '../../../domain/ids.ts';
import { branded } from '../../../domain/brand.ts';
import { positionNumber } from '../../../domain/position.ts';
import type { EventStore, StoreUnavailable } from '../../../event-store/event-store.ts';
import { SqliteStatements } from '../../../sql/sqlite-statements.ts';
import { compared } from '../../compared.ts';
import { isAt } from '../../is-at.ts';
import { strayStatements } from '../../statements/stray-statements.ts';
import { readModelFailure, type ReadModelFailure, type ReadModelProblem } from '../../verification.ts';
import { servingGeneration } from '../serving-generation.ts';

/** Streams that are read at a time. */
const READS_AT_ONCE = 32;
/** Differences that are named; more of them say no more. */
const MOST_NAMED = 100;

/** Tables of which each row stands for a stream of its own. */
type StrayTable = keyof typeof strayStatements;

/** Rows that streams were found to stand for: how many, or the position of each, where rows have one. */
export type FoundRows = {
  readonly quarantine: readonly number[];
  readonly closings: number;
  readonly statements: readonly number[];
  readonly decisions: number;
};

type OfTable = {
  readonly problem: ReadModelProblem;
  readonly what: string;
  /** The stream that a row stands for; null where its key names none. */
  readonly streamOf: (key: string) => StreamName | null;
};

const TABLES: Readonly<Record<StrayTable, OfTable>> = {
  quarantine: {
    problem: 'read-model-quarantine-differs',
    what: 'a delivery in quarantine',
    streamOf: (key) => (bodyOfQuarantineStream(branded<StreamName>(key)) === null ? null : branded<StreamName>(key)),
  },
  closings: {
    problem: 'read-model-quarantine-differs',
    what: 'a closing',
    streamOf: (key) => {
      const body = bodyOfQuarantineStream(branded<StreamName>(key));
      return body === null ? null : ownStream('closure', body);
    },
  },
  statements: {
    problem: 'read-model-bank-differs',
    what: 'a bank file',
    streamOf: (key) => ownStream('statement', key),
  },
  decisions: {
    problem: 'read-model-bank-differs',
    what: 'a decision',
    streamOf: (key) => ownStream('match', key),
  },
};

const NAMES = ['quarantine', 'closings', 'statements', 'decisions'] as const satisfies readonly StrayTable[];

/**
 * Tables that have other rows than streams stand for. Rows are compared stream by stream, so that one without any stream is
 * seen only where rows are counted.
 *
 * @param upTo as far as the log and the generation were both looked at: of rows behind it more may have come meanwhile
 */
export const strayTables = (
  database: Database.Database,
  upTo: Position,
  found: readonly FoundRows[],
): readonly StrayTable[] => {
  const [sql, last] = [new SqliteStatements(database), positionNumber(upTo)];
  const foundIn = (name: StrayTable): number =>
    found.reduce((sum, { [name]: rows }) => {
      return sum + (typeof rows === 'number' ? rows : rows.filter((position) => position <= last).length);
    }, 0);
  return NAMES.filter((name) =>
    compared(
      () => sql.one(strayStatements[name].count, { last }).rows !== foundIn(name),
      () => true,
    ),
  );
};

/** Looks once more at each row of some tables, as of one moment; names those that no event stands for. */
export const verifyStraysAgain = async (
  store: Pick<EventStore, 'readStream'>,
  readModelFile: string | null,
  tables: readonly StrayTable[],
): Promise<E.Either<StoreUnavailable, readonly ReadModelFailure[]>> => {
  const serving = tables.length === 0 ? 'none' : servingGeneration(readModelFile, 'of-one-moment');
  if (typeof serving === 'string') return E.right([]);
  const { database, checkpoint, close } = serving;
  const sql = new SqliteStatements(database);
  const failures: ReadModelFailure[] = [];
  try {
    for (const table of tables) {
      const { problem, what, streamOf } = TABLES[table];
      const look = async ({ key }: { readonly key: string }): Promise<E.Either<StoreUnavailable, void>> => {
        const stream = failures.length >= MOST_NAMED ? null : streamOf(key);
        const read = stream === null ? E.right([]) : await store.readStream(stream)();
        if (E.isLeft(read)) return read;
        const isThere = read.right.some(({ position }) => isAt(checkpoint, position));
        if (!isThere && failures.length < MOST_NAMED)
          failures.push(readModelFailure(problem, `no event stands for ${what}, ${key}`));
        return E.right(undefined);
      };
      const keys = compared(
        () => sql.all(strayStatements[table].keys, {}),
        (detail) => {
          failures.push(readModelFailure(problem, `${what}: ${detail}`));
          return [];
        },
      );
      const looked = await atMost(READS_AT_ONCE, keys, look);
      if (E.isLeft(looked)) return looked;
    }
    return E.right(failures);
  } finally {
    close();
  }
};
