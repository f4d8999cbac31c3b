import * as E from 'fp-ts/lib/Either.js';
import { turnsBetween } from '../../concurrency/turns-between.ts';
import type { BusinessDay } from '../../domain/business-day.ts';
import type { Sha256 } from '../../domain/ids.ts';
import { sha256 } from '../../domain/sha256.ts';
import type { StatementAccount } from '../../domain/own-event/statement-events.ts';
import type { LineId, StatementId, StatementLine } from '../../domain/statement-line.ts';
import {
  accountPart,
  hasBalances,
  mayHaveByHalf,
  partLine,
  type AccountPart,
  type PartLine,
} from '../../statements/account-part.ts';
import { lineIdOf } from '../../statements/line-ids.ts';
import { timesBooked } from '../../statements/times-booked.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import { filesWith, type BroughtBefore } from './files-with.ts';
import type { OpenedFile } from './statement-files.ts';

/** A file whose lines have the ids by which the ledger counts them, and how many of them no file has brought before. */
export type CountedFile = { readonly file: OpenedFile; readonly newLines: number };

type Deps = Pick<QueryDependencies, 'readModels'>;
type Step<A> = Promise<E.Either<QueryFailure, A>>;

const IDS_AT_ONCE = 2_000;
const LINES_AT_ONCE = 100;

const allIds = async (file: OpenedFile): Step<readonly LineId[]> => {
  const all: LineId[] = [];
  while (all.length < file.facts.lines) {
    const ids = await file.lineIds(all.length, IDS_AT_ONCE)();
    if (E.isLeft(ids)) return ids;
    all.push(...ids.right);
  }
  return E.right(all);
};

const knownAmong = async ({ readModels }: Deps, ids: readonly LineId[]): Step<ReadonlySet<LineId>> => {
  const known = new Set<LineId>();
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
    const found = await readModels.knownLines(ids.slice(from, from + IDS_AT_ONCE))();
    if (E.isLeft(found)) return found;
    for (const id of found.right) known.add(id);
  }
  return E.right(known);
};

const keyOf = ({ account, currency }: Pick<StatementLine, 'account' | 'currency'>): string =>
  JSON.stringify([account, currency]);

/** The lines of each account, read part by part. */
const linesByAccount = async (
  count: number,
  read: (from: number) => Step<readonly StatementLine[]>,
): Step<ReadonlyMap<string, readonly PartLine[]>> => {
  const byAccount = new Map<string, PartLine[]>();
  for (let from = 0; from < count;) {
    const lines = await read(from);
    if (E.isLeft(lines)) return lines;
    if (lines.right.length === 0) break;
    from += lines.right.length;
    for (const line of lines.right) {
      const its = byAccount.get(keyOf(line));
      if (its === undefined) byAccount.set(keyOf(line), [partLine(line)]);
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
  days: readonly BusinessDay[],
): Step<AccountPart | null> => {
  const statement = await readModels.statement(id)();
  if (E.isLeft(statement)) return statement;
  const said = statement.right?.accounts.find((account) => keyOf(account) === key);
  if (statement.right === null || said === undefined || !hasBalances(said)) return E.right(null);
  if (!days.some((day) => mayHaveByHalf(said, day))) return E.right(null);
  const lines = await linesByAccount(statement.right.lines, async (from) => {
    const page = await readModels.statementLines({ statementId: id, after: from - 1, limit: LINES_AT_ONCE })();
    return E.map(({ data }: { readonly data: readonly StatementLine[] }) => data)(page);
  });
  return E.isLeft(lines) ? lines : E.right(await accountPart(said, lines.right.get(key) ?? [], turnsBetween()));
};

/** How often each content is in the ledger once the file is, as far as balances tell of what other files brought. */
const bookedWith = async (
  deps: Deps,
  part: AccountPart,
  key: string,
  days: readonly BusinessDay[],
  { files }: BroughtBefore,
): Step<(content: Sha256) => number> => {
  const parts = [part];
  for (const id of files) {
    const other = await importedPart(deps, id, key, days);
    if (E.isLeft(other)) return other;
    if (other.right !== null) parts.push(other.right);
  }
  return E.right(await timesBooked(parts, turnsBetween()));
};

/** The ids of those lines of an account that are named otherwise than if the file were the only one, by their index. */
const renamed = async (
  deps: Deps,
  said: StatementAccount,
  lines: readonly PartLine[],
  known: ReadonlySet<LineId>,
): Step<ReadonlyMap<number, LineId>> => {
  const names = new Map<number, LineId>();
  const part = await accountPart(said, lines, turnsBetween());
  const contents = new Set([...(part?.values() ?? [])].flatMap(({ booked }) => booked.map(({ content }) => content)));
  const open = [...contents].filter((content) => known.has(lineIdOf(content, 0)));
  if (part === null || open.length === 0) return E.right(names);
  const before = await filesWith(deps, open);
  if (E.isLeft(before)) return before;
  const byContent = Map.groupBy(lines, ({ content }) => content);
  const days = new Set(open.flatMap((content) => byContent.get(content)?.map(({ bookedOn }) => bookedOn) ?? []));
  const booked = await bookedWith(deps, part, keyOf(said), [...days], before.right);
  if (E.isLeft(booked)) return booked;
  for (const content of open) {
    const its = byContent.get(content) ?? [];
    const there = before.right.times.get(content) ?? 0;
    // The ledger has its equal lines numbered from 0: those that are new follow, the others are as many of those there.
    const fresh = Math.min(its.length, Math.max(booked.right(content), its.length, there) - there);
    for (const [at, { index }] of its.entries()) {
      const isNew = at >= its.length - fresh;
      names.set(index, lineIdOf(content, isNew ? there + at - (its.length - fresh) : at));
    }
  }
  return E.right(names);
};

const withNames = (file: OpenedFile, names: ReadonlyMap<number, LineId>, ids: readonly LineId[]): OpenedFile => ({
  ...file,
  reading: sha256(ids.join('\n')),
  lineIds: (from, most) => () => Promise.resolve(E.right(ids.slice(from, from + most))),
  lines: (from, most) => async () =>
    E.map((lines: readonly StatementLine[]) =>
      lines.map((line) => ({ ...line, lineId: names.get(line.index) ?? line.lineId })),
    )(await file.lines(from, most)()),
});

/**
 * Gives the lines of a file the ids by which the ledger counts them (docs/spec/statements.md, Equal lines): those that it has as
 * the only file, but where balances tell that equal lines of other files are other bookings. The read models must include all
 * that was imported until now, and nothing may be imported until this file is.
 */
export const countedLines = async (deps: Deps, file: OpenedFile): Step<CountedFile> => {
  const ids = await allIds(file);
  if (E.isLeft(ids)) return ids;
  const known = await knownAmong(deps, ids.right);
  if (E.isLeft(known)) return known;
  const asOnly: CountedFile = { file, newLines: ids.right.length - known.right.size };
  const accounts = file.facts.accounts.filter(hasBalances);
  if (known.right.size === 0 || accounts.length === 0) return E.right(asOnly);
  const lines = await linesByAccount(file.facts.lines, (from) => file.lines(from, LINES_AT_ONCE)());
  if (E.isLeft(lines)) return lines;
  const names = new Map<number, LineId>();
  for (const said of accounts) {
    const its = await renamed(deps, said, lines.right.get(keyOf(said)) ?? [], known.right);
    if (E.isLeft(its)) return its;
    for (const [index, id] of its.right) names.set(index, id);
  }
  const named = ids.right.map((id, index) => names.get(index) ?? id);
  if (named.every((id, index) => id === ids.right[index])) return E.right(asOnly);
  const there = await knownAmong(deps, named);
  return E.map(({ size }: ReadonlySet<LineId>) => ({
    file: withNames(file, names, named),
    newLines: named.length - size,
  }))(there);
};
