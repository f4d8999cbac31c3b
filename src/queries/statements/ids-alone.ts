import * as E from 'fp-ts/lib/Either.js';
import type { LineKey } from '../../domain/line-key.ts';
import type { LineId } from '../../domain/statement-line.ts';
import type { LineNames } from '../../statements/line-ids.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import { PackedIds } from './packed-ids.ts';
import type { OpenedFile } from './statement-files.ts';

type Deps = Pick<QueryDependencies, 'readModels'>;

/** How many ids are dealt with at once. */
export const IDS_AT_ONCE = 2_000;
/** Each line has two. */
const NAMES_AT_ONCE = IDS_AT_ONCE / 2;

/** Those of the ids that lines of the ledger have. */
export const knownAmong = async (
  { readModels }: Deps,
  ids: Pick<PackedIds, 'length' | 'slice'>,
): Promise<E.Either<QueryFailure, ReadonlySet<LineId>>> => {
  const known = new Set<LineId>();
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
    const found = await readModels.knownLines(ids.slice(from, from + IDS_AT_ONCE))();
    if (E.isLeft(found)) return found;
    for (const id of found.right) known.add(id);
  }
  return E.right(known);
};

/** The id that a line has in the ledger; where it is not there, the one that it would get. */
export const idIn = (known: ReadonlySet<LineId>, { keyed, former }: LineNames): LineId =>
  known.has(former) ? former : keyed;

/** The ids of all lines as if the file were the only one, and those of them that the ledger has. */
export type IdsAlone = { readonly ids: PackedIds; readonly known: ReadonlySet<LineId> };

/** Names the lines of a file as if it were the only one. There may be very many: they are named part by part. */
export const idsAlone = async (
  deps: Deps,
  file: Pick<OpenedFile, 'facts' | 'names'>,
  key: LineKey,
): Promise<E.Either<QueryFailure, IdsAlone>> => {
  const ids = new PackedIds(file.facts.lines);
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
