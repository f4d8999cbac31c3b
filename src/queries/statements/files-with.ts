import * as E from 'fp-ts/lib/Either.js';
import type { Sha256 } from '../../domain/ids.ts';
import type { LineId, StatementId } from '../../domain/statement-line.ts';
import type { LineNames, LinePlace } from '../../statements/line-ids.ts';
import type { Turns } from '../../statements/turns.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import type { QueryDependencies } from '../query-dependencies.ts';

/** What files brought of some contents: how many lines of each the ledger has, under which ids, and which files have any. */
export type BroughtBefore = {
  readonly times: ReadonlyMap<Sha256, number>;
  readonly ids: ReadonlySet<LineId>;
  readonly files: ReadonlySet<StatementId>;
};

const IDS_AT_ONCE = 2_000;

/** The number of a line among its equals in the ledger, from 1, and an id that it may have there. */
type Asked = { readonly id: LineId; readonly content: Sha256; readonly number: number };

/**
 * The ids that so many equal lines of each content may have, from one on, in parts that are asked for at once. There may be very
 * many: two digests each, and others have their turn in between.
 */
async function* askedFor(
  contents: readonly Sha256[],
  [from, to]: readonly [number, number],
  namesOf: (place: LinePlace) => LineNames,
  turns: Turns,
): AsyncGenerator<readonly Asked[], void> {
  let asked: Asked[] = [];
  for (const content of contents) {
    for (let before = from; before < to; before += 1) {
      await turns();
      const { keyed, former } = namesOf({ content, before });
      asked.push({ id: keyed, content, number: before + 1 }, { id: former, content, number: before + 1 });
      if (asked.length < IDS_AT_ONCE) continue;
      yield asked;
      asked = [];
    }
  }
  if (asked.length > 0) yield asked;
}

/**
 * Looks up what files brought of some contents. Equal lines are numbered from 0 in the ledger, without gaps; the first of them
 * may have the ids that the first ledgers gave.
 */
export const filesWith = async (
  { readModels }: Pick<QueryDependencies, 'readModels'>,
  contents: readonly Sha256[],
  namesOf: (place: LinePlace) => LineNames,
  turns: Turns,
): Promise<E.Either<QueryFailure, BroughtBefore>> => {
  const times = new Map<Sha256, number>();
  const ids = new Set<LineId>();
  const files = new Set<StatementId>();
  let open = contents;
  for (let from = 0, most = 2; open.length > 0; from += most, most *= 2) {
    const isFull = from + most;
    for await (const asked of askedFor(open, [from, isFull], namesOf, turns)) {
      const its = await readModels.filesOfLines(asked.map(({ id }) => id))();
      if (E.isLeft(its)) return its;
      for (const { lineId, statementId } of its.right) {
        ids.add(lineId);
        files.add(statementId);
      }
      for (const { id, content, number } of asked) if (ids.has(id)) times.set(content, number);
    }
    const full: Sha256[] = [];
    for (const content of open) {
      await turns();
      if (times.get(content) === isFull) full.push(content);
    }
    open = full;
  }
  return E.right({ times, ids, files });
};
