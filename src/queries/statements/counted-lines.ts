import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import { turnsBetween } from '../../concurrency/turns-between.ts';
import { branded } from '../../domain/brand.ts';
import type { BusinessDay } from '../../domain/business-day.ts';
import type { Sha256 } from '../../domain/ids.ts';
import type { LineKey } from '../../domain/line-key.ts';
import type { StatementAccount } from '../../domain/own-event/statement-events.ts';
import type { LineId, StatementId, StatementLine, UnnamedLine } from '../../domain/statement-line.ts';
import {
  accountPart,
  hasBalances,
  mayHaveByHalf,
  partLine,
  type AccountPart,
  type PartLine,
} from '../../statements/account-part.ts';
import { lineNaming, type LineNames, type LinePlace } from '../../statements/line-ids.ts';
import { timesBooked } from '../../statements/times-booked.ts';
import type { Turns } from '../../statements/turns.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import { filesWith, type BroughtBefore } from './files-with.ts';
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

const IDS_AT_ONCE = 2_000;
/** Each line has two. */
const NAMES_AT_ONCE = IDS_AT_ONCE / 2;
/** As many as a page of lines may have. */
const LINES_AT_ONCE = 500;

const knownAmong = async ({ readModels }: Deps, ids: readonly LineId[]): Step<ReadonlySet<LineId>> => {
  const known = new Set<LineId>();
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
    const found = await readModels.knownLines(ids.slice(from, from + IDS_AT_ONCE))();
    if (E.isLeft(found)) return found;
    for (const id of found.right) known.add(id);
  }
  return E.right(known);
};

/** The id that a line has in the ledger; where it is not there, the one that it would get. */
const idIn = (known: ReadonlySet<LineId>, { keyed, former }: LineNames): LineId => (known.has(former) ? former : keyed);

/** The ids of all lines as if the file were the only one, and those of them that the ledger has. */
type AsOnly = { readonly ids: readonly LineId[]; readonly known: ReadonlySet<LineId> };

const namedAsOnly = async (deps: Deps, file: OpenedFile, key: LineKey): Step<AsOnly> => {
  const ids: LineId[] = [];
  const known = new Set<LineId>();
  while (ids.length < file.facts.lines) {
    const names = await file.names(key, ids.length, NAMES_AT_ONCE)();
    if (E.isLeft(names)) return names;
    const there = await knownAmong(
      deps,
      names.right.flatMap(({ keyed, former }) => [keyed, former]),
    );
    if (E.isLeft(there)) return there;
    for (const name of names.right) {
      const id = idIn(there.right, name);
      ids.push(id);
      if (there.right.has(id)) known.add(id);
    }
  }
  return E.right({ ids, known });
};

const keyOf = ({ account, currency }: Pick<StatementLine, 'account' | 'currency'>): string =>
  JSON.stringify([account, currency]);

/** The lines of some accounts, read part by part. */
const linesByAccount = async (
  count: number,
  keys: ReadonlySet<string>,
  read: (from: number) => Step<readonly UnnamedLine[]>,
  turns: Turns,
): Step<ReadonlyMap<string, readonly PartLine[]>> => {
  const byAccount = new Map<string, PartLine[]>();
  for (let from = 0; from < count;) {
    const lines = await read(from);
    if (E.isLeft(lines)) return lines;
    if (lines.right.length === 0) break;
    from += lines.right.length;
    for (const line of lines.right) {
      await turns();
      const key = keyOf(line);
      if (!keys.has(key)) continue;
      const its = byAccount.get(key);
      if (its === undefined) byAccount.set(key, [partLine(line)]);
      else its.push(partLine(line));
    }
  }
  return E.right(byAccount);
};

/** The part of an account that an imported file shows; null where it says no balances, or has all of these days whole. */
const importedPart = async (
  { readModels }: Deps,
  id: StatementId,
  key: string,
  days: ReadonlySet<BusinessDay>,
  turns: Turns,
): Step<AccountPart | null> => {
  const statement = await readModels.statement(id)();
  if (E.isLeft(statement)) return statement;
  const said = statement.right?.accounts.find((account) => keyOf(account) === key);
  if (statement.right === null || said === undefined || !hasBalances(said)) return E.right(null);
  if (![...days].some((day) => mayHaveByHalf(said, day))) return E.right(null);
  const read = async (from: number): Step<readonly UnnamedLine[]> => {
    const page = await readModels.statementLines({ statementId: id, after: from - 1, limit: LINES_AT_ONCE })();
    return E.map(({ data }: { readonly data: readonly StatementLine[] }) => data)(page);
  };
  const lines = await linesByAccount(statement.right.lines, new Set([key]), read, turns);
  return E.isLeft(lines) ? lines : E.right(await accountPart(said, lines.right.get(key) ?? [], turns));
};

/** How often each content is in the ledger once the file is, as far as balances tell of what other files brought. */
const bookedWith = async (
  deps: Deps,
  part: AccountPart,
  key: string,
  days: ReadonlySet<BusinessDay>,
  { files }: BroughtBefore,
  turns: Turns,
): Step<(content: Sha256) => Promise<number>> => {
  const parts = [part];
  for (const id of files) {
    const other = await importedPart(deps, id, key, days, turns);
    if (E.isLeft(other)) return other;
    if (other.right !== null) parts.push(other.right);
  }
  return E.right(await timesBooked(parts, turns));
};

/** What the lines of a part say, where the ledger has a line that says so. */
const knownContents = async (
  part: AccountPart,
  known: ReadonlySet<LineId>,
  namesOf: (place: LinePlace) => LineNames,
  turns: Turns,
): Promise<ReadonlySet<Sha256>> => {
  const [seen, there] = [new Set<Sha256>(), new Set<Sha256>()];
  for (const { booked } of part.values()) {
    for (const { content } of booked) {
      await turns();
      if (seen.has(content)) continue;
      seen.add(content);
      if (known.has(idIn(known, namesOf({ content, before: 0 })))) there.add(content);
    }
  }
  return there;
};

/** The ids of those lines of an account that are named otherwise than if the file were the only one, by their index. */
const renamed = async (
  deps: Deps,
  said: StatementAccount,
  lines: readonly PartLine[],
  known: ReadonlySet<LineId>,
  namesOf: (place: LinePlace) => LineNames,
  turns: Turns,
): Step<ReadonlyMap<number, LineId>> => {
  const names = new Map<number, LineId>();
  const part = await accountPart(said, lines, turns);
  if (part === null) return E.right(names);
  const open = await knownContents(part, known, namesOf, turns);
  if (open.size === 0) return E.right(names);
  const before = await filesWith(deps, [...open], namesOf, turns);
  if (E.isLeft(before)) return before;
  const byContent = new Map<Sha256, PartLine[]>();
  const days = new Set<BusinessDay>();
  for (const line of lines) {
    await turns();
    if (!open.has(line.content)) continue;
    const its = byContent.get(line.content);
    if (its === undefined) byContent.set(line.content, [line]);
    else its.push(line);
    days.add(line.bookedOn);
  }
  const booked = await bookedWith(deps, part, keyOf(said), days, before.right, turns);
  if (E.isLeft(booked)) return booked;
  for (const [content, its] of byContent) {
    const there = before.right.times.get(content) ?? 0;
    // The ledger has its equal lines numbered from 0: those that are new follow, the others are as many of those there.
    const fresh = Math.min(its.length, Math.max(await booked.right(content), its.length, there) - there);
    for (const [at, { index }] of its.entries()) {
      await turns();
      const isNew = at >= its.length - fresh;
      const number = isNew ? there + at - (its.length - fresh) : at;
      names.set(index, idIn(before.right.ids, namesOf({ content, before: number })));
    }
  }
  return E.right(names);
};

/** A digest over the ids of all lines, part by part: there may be very many, and deliveries have their turn in between. */
const readingOf = async (ids: readonly LineId[]): Promise<Sha256> => {
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

const withIds = async ({ statementId, facts, lines }: OpenedFile, ids: readonly LineId[]): Promise<NamedFile> => ({
  statementId,
  facts,
  reading: await readingOf(ids),
  lines: (from, most) => async () =>
    E.map((some: readonly UnnamedLine[]) =>
      some.flatMap((line) => {
        const lineId = ids[line.index];
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
  const asOnly = await namedAsOnly(deps, file, key);
  if (E.isLeft(asOnly)) return asOnly;
  const { ids, known } = asOnly.right;
  const alone = async (): Step<CountedFile> =>
    E.right({ file: await withIds(file, ids), newLines: ids.length - known.size });
  const accounts = file.facts.accounts.filter(hasBalances);
  if (known.size === 0 || accounts.length === 0) return await alone();
  const turns = turnsBetween();
  const keys = new Set(accounts.map(keyOf));
  const lines = await linesByAccount(file.facts.lines, keys, (from) => file.lines(from, LINES_AT_ONCE)(), turns);
  if (E.isLeft(lines)) return lines;
  const namesOf = lineNaming(key);
  const names = new Map<number, LineId>();
  for (const said of accounts) {
    const its = await renamed(deps, said, lines.right.get(keyOf(said)) ?? [], known, namesOf, turns);
    if (E.isLeft(its)) return its;
    for (const [index, id] of its.right) {
      await turns();
      names.set(index, id);
    }
  }
  const named: LineId[] = [];
  let isAlone = true;
  for (const [index, id] of ids.entries()) {
    await turns();
    const name = names.get(index) ?? id;
    named.push(name);
    isAlone &&= name === id;
  }
  if (isAlone) return await alone();
  const there = await knownAmong(deps, named);
  if (E.isLeft(there)) return there;
  return E.right({ file: await withIds(file, named), newLines: named.length - there.right.size });
};
