import * as E from 'fp-ts/lib/Either.js';
import type { Sha256 } from '../../domain/ids.ts';
import type { LineId, StatementId } from '../../domain/statement-line.ts';
import type { LineNames, LinePlace } from '../../statements/line-ids.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import type { QueryDependencies } from '../query-dependencies.ts';

/** What files brought of some contents: how many lines of each the ledger has, under which ids, and which files have any. */
export type BroughtBefore = {
  readonly times: ReadonlyMap<Sha256, number>;
  readonly ids: ReadonlySet<LineId>;
  readonly files: ReadonlySet<StatementId>;
};

const IDS_AT_ONCE = 2_000;

/**
 * Looks up what files brought of some contents. Equal lines are numbered from 0 in the ledger, without gaps; the first of them
 * may have the ids that the first ledgers gave.
 */
export const filesWith = async (
  { readModels }: Pick<QueryDependencies, 'readModels'>,
  contents: readonly Sha256[],
  namesOf: (place: LinePlace) => LineNames,
): Promise<E.Either<QueryFailure, BroughtBefore>> => {
  const times = new Map<Sha256, number>();
  const ids = new Set<LineId>();
  const files = new Set<StatementId>();
  let open = contents;
  for (let from = 0, most = 2; open.length > 0; from += most, most *= 2) {
    const asked = open.flatMap((content) =>
      Array.from({ length: most }, (_, at) => {
        const { keyed, former } = namesOf({ content, before: from + at });
        return [
          { id: keyed, content, number: from + at + 1 },
          { id: former, content, number: from + at + 1 },
        ];
      }).flat(),
    );
    for (let first = 0; first < asked.length; first += IDS_AT_ONCE) {
      const its = await readModels.filesOfLines(asked.slice(first, first + IDS_AT_ONCE).map(({ id }) => id))();
      if (E.isLeft(its)) return its;
      for (const { lineId, statementId } of its.right) {
        ids.add(lineId);
        files.add(statementId);
      }
    }
    for (const { id, content, number } of asked) if (ids.has(id)) times.set(content, number);
    const isFull = from + most;
    open = open.filter((content) => times.get(content) === isFull);
  }
  return E.right({ times, ids, files });
};
