import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import { turnsBetween } from '../../concurrency/turns-between.ts';
import { branded } from '../../domain/brand.ts';
import type { Sha256 } from '../../domain/ids.ts';
import type { LineKey } from '../../domain/line-key.ts';
import type { LineId, StatementLine, UnnamedLine } from '../../domain/statement-line.ts';
import { hasBalances } from '../../statements/account-part.ts';
import { lineNaming } from '../../statements/line-ids.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import { IDS_AT_ONCE, idsAlone, knownAmong } from './ids-alone.ts';
import { accountKey, LINES_AT_ONCE, linesOfAccounts } from './lines-of-accounts.ts';
import { idsBesideOthers } from './other-bookings.ts';
import { PackedIds } from './packed-ids.ts';
import type { FileFailed, OpenedFile } from './statement-files.ts';

/** A file whose lines have the ids by which the ledger counts them. */
export type NamedFile = Pick<OpenedFile, 'statementId' | 'facts'> & {
  /** Names these lines as the ones of the file: a digest over their ids. */
  readonly reading: Sha256;
  /** Some lines from one on, as `OpenedFile` has them. */
  readonly lines: (from: number, most: number) => TE.TaskEither<FileFailed, readonly StatementLine[]>;
};

/** A file as the ledger counts it, and how many of its lines no file has brought before. */
export type CountedFile = { readonly file: NamedFile; readonly newLines: number };

type Deps = Pick<QueryDependencies, 'readModels'>;
type Step<A> = Promise<E.Either<QueryFailure, A>>;

/** A digest over the ids of all lines, part by part: there may be very many, and deliveries have their turn in between. */
const readingOf = async (ids: PackedIds): Promise<Sha256> => {
  const hash = createHash('sha256');
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
    if (from > 0) {
      hash.update('\n');
      await turn();
    }
    hash.update(ids.slice(from, from + IDS_AT_ONCE).join('\n'));
  }
  return branded<Sha256>(hash.digest('hex'));
};

const withIds = async ({ statementId, facts, lines }: OpenedFile, ids: PackedIds): Promise<NamedFile> => ({
  statementId,
  facts,
  reading: await readingOf(ids),
  lines: (from, most) => async () =>
    E.map((some: readonly UnnamedLine[]) =>
      some.flatMap((line) => {
        const [lineId] = ids.slice(line.index, line.index + 1);
        return lineId === undefined ? [] : [{ ...line, lineId }];
      }),
    )(await lines(from, most)()),
});

/**
 * Gives the lines of a file the ids by which the ledger counts them (docs/spec/statements.md, Equal lines): those that it has as
 * the only file, but where balances tell that equal lines of other files are other bookings. The read models must include all
 * that was imported until now, and nothing may be imported until this file is.
 *
 * @param key that of the log; where it has none, any: no line has an id with it yet
 */
export const countedLines = async (deps: Deps, file: OpenedFile, key: LineKey): Step<CountedFile> => {
  const asOnly = await idsAlone(deps, file, key);
  if (E.isLeft(asOnly)) return asOnly;
  const { ids, known } = asOnly.right;
  const alone = async (): Step<CountedFile> =>
    E.right({ file: await withIds(file, ids), newLines: ids.length - known.size });
  const accounts = file.facts.accounts.filter(hasBalances);
  if (known.size === 0 || accounts.length === 0) return await alone();
  const turns = turnsBetween();
  const keys = new Set(accounts.map(accountKey));
  const lines = await linesOfAccounts(file.facts.lines, keys, (from) => file.lines(from, LINES_AT_ONCE)(), turns);
  if (E.isLeft(lines)) return lines;
  const namesOf = lineNaming(key);
  const names = new Map<number, LineId>();
  for (const said of accounts) {
    const its = await idsBesideOthers(deps, said, lines.right.get(accountKey(said)) ?? [], known, namesOf, turns);
    if (E.isLeft(its)) return its;
    for (const [index, id] of its.right) {
      await turns();
      names.set(index, id);
    }
  }
  const named = new PackedIds(ids.length);
  let isAlone = true;
  for (const id of ids) {
    await turns();
    const name = names.get(named.length) ?? id;
    named.push(name);
    isAlone &&= name === id;
  }
  if (isAlone) return await alone();
  const there = await knownAmong(deps, named);
  if (E.isLeft(there)) return there;
  return E.right({ file: await withIds(file, named), newLines: named.length - there.right.size });
};
