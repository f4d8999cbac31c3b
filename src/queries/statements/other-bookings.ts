import * as E from 'fp-ts/lib/Either.js';
import type { BusinessDay } from '../../domain/business-day.ts';
import type { Sha256 } from '../../domain/ids.ts';
import type { StatementAccount } from '../../domain/own-event/statement-events.ts';
import type { LineId, StatementId } from '../../domain/statement-line.ts';
import { accountPart, type AccountPart, type PartLine } from '../../statements/account-part.ts';
import type { LineNames, LinePlace } from '../../statements/line-ids.ts';
import { timesBooked } from '../../statements/times-booked.ts';
import type { Turns } from '../../statements/turns.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import { filesBetween } from './files-between.ts';
import { filesWith, type BroughtBefore } from './files-with.ts';
import { idIn } from './ids-alone.ts';
import { accountKey, importedPart } from './lines-of-accounts.ts';

type Deps = Pick<QueryDependencies, 'readModels'>;
type Step<A> = Promise<E.Either<QueryFailure, A>>;

/** The parts of an account that some files show, as far as these tell anything of some days. */
const importedParts = async (
  deps: Deps,
  files: ReadonlySet<StatementId>,
  key: string,
  days: ReadonlySet<BusinessDay>,
  turns: Turns,
): Step<readonly AccountPart[]> => {
  const parts: AccountPart[] = [];
  for (const id of files) {
    const part = await importedPart(deps, id, key, days, turns);
    if (E.isLeft(part)) return part;
    if (part.right !== null) parts.push(part.right);
  }
  return E.right(parts);
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
  const equal = await importedParts(deps, files, key, days, turns);
  if (E.isLeft(equal)) return equal;
  const parts = [part, ...equal.right];
  const between = await filesBetween(deps, key, parts, days, turns);
  if (E.isLeft(between)) return between;
  const others = await importedParts(deps, between.right.difference(files), key, days, turns);
  return E.isLeft(others) ? others : E.right(await timesBooked([...parts, ...others.right], turns));
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

/** Lines of a file that say some contents, by what they say, and the days that they are of. */
type EqualLines = {
  readonly byContent: ReadonlyMap<Sha256, readonly PartLine[]>;
  readonly days: ReadonlySet<BusinessDay>;
};

const equalLines = async (
  lines: readonly PartLine[],
  contents: ReadonlySet<Sha256>,
  turns: Turns,
): Promise<EqualLines> => {
  const byContent = new Map<Sha256, PartLine[]>();
  const days = new Set<BusinessDay>();
  for (const line of lines) {
    await turns();
    if (!contents.has(line.content)) continue;
    const its = byContent.get(line.content);
    if (its === undefined) byContent.set(line.content, [line]);
    else its.push(line);
    days.add(line.bookedOn);
  }
  return { byContent, days };
};

/** The number among its equals in the ledger that each line of a file has, of so many that the ledger has once the file is in it. */
const numbersOf = (
  lines: readonly PartLine[],
  there: number,
  booked: number,
): readonly (readonly [number, PartLine])[] => {
  // Equal lines that are dated back stand at several days of their file: then it has more of them than any day tells.
  const fresh = Math.min(lines.length, Math.max(booked, lines.length, there) - there);
  const asThere = lines.length - fresh;
  // The ledger has its equal lines numbered from 0: those that are new follow, the others are as many of those there.
  return lines.map((line, at) => [at < asThere ? at : there + at - asThere, line]);
};

/**
 * The ids of those lines of an account whose equals other files brought, by the index of the line: of a booking that another
 * file brought too the id that it has, of another booking one of its own (docs/spec/statements.md, Equal lines).
 *
 * @param said what the file says of the account
 * @param lines its lines
 * @param known which of the ids that they have as if the file were the only one the ledger has
 */
export const idsBesideOthers = async (
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
  const { byContent, days } = await equalLines(lines, open, turns);
  const booked = await bookedWith(deps, part, accountKey(said), days, before.right, turns);
  if (E.isLeft(booked)) return booked;
  for (const [content, its] of byContent) {
    const there = before.right.times.get(content) ?? 0;
    for (const [number, { index }] of numbersOf(its, there, await booked.right(content))) {
      await turns();
      names.set(index, idIn(before.right.ids, namesOf({ content, before: number })));
    }
  }
  return E.right(names);
};
