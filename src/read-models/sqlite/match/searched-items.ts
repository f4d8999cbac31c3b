import type { MatchItem } from '../../../../projections/match/match-item.ts';
import { lineNode, type NodeName } from '../../../../projections/match/node.ts';
import type { SqliteStatements } from '../../../sql/sqlite-statements.ts';
import { isLineFoundBy, lineSearchTerm, type LineSearch } from '../../line-search.ts';
import { isBehind, type Listed } from '../../match-list.ts';
import type { MatchPlace } from '../../match-questions.ts';
import { present } from '../../present.ts';
import { evidenceStatements } from '../../statements/match-statements.ts';
import type { ItemRows } from './item-rows.ts';
import { dayOf } from './match-days.ts';
import type { MatchEvidence } from './match-evidence.ts';
import { isOrderRef, numberOfRef } from './match-refs.ts';

/** Lines that a reference leads to: one that many lines have names none of them. */
const MOST_NAMED = 1_000;

/** An item, and the lines in it that are to be looked at, by their numbers. */
type Candidate = { readonly place: MatchPlace; readonly row: number; readonly lines: number[] };

/** What a search leads to, in the order of lists. */
export type Searched = {
  readonly listed: readonly Listed[];
  /** The lines of one of these items that the search finds. */
  readonly namedIn: (item: MatchItem) => ReadonlySet<NodeName>;
};

/**
 * Items with a line that a search finds. The places of all of them are known by the index and by numbers; items and lines
 * are read where a page comes to them, so that a list is read once however many pages it has.
 */
export class SearchedItems {
  readonly #sql: SqliteStatements;
  readonly #evidence: Pick<MatchEvidence, 'lineAt' | 'someRefs'>;
  readonly #rows: Pick<ItemRows, 'at'>;

  constructor(sql: SqliteStatements, evidence: Pick<MatchEvidence, 'lineAt' | 'someRefs'>, rows: Pick<ItemRows, 'at'>) {
    this.#sql = sql;
    this.#evidence = evidence;
    this.#rows = rows;
  }

  find(search: LineSearch): Searched {
    const candidates = this.#candidates(search);
    const listed = [...candidates.values()]
      .map(({ place, row }): Listed => ({ place, item: () => this.#rows.at(row, place.key) }))
      .toSorted((a, b) => (isBehind(b.place, a.place) ? -1 : 1));
    const namedIn = ({ itemId }: MatchItem): ReadonlySet<NodeName> => {
      const lines = (candidates.get(itemId)?.lines ?? []).flatMap((no) => present(this.#evidence.lineAt(no)));
      return new Set(lines.filter((line) => isLineFoundBy(line, search)).map(({ lineId }) => lineNode(lineId)));
    };
    return { listed, namedIn };
  }

  #candidates(search: LineSearch): ReadonlyMap<string, Candidate> {
    const candidates = new Map<string, Candidate>();
    for (const ref of new Set(this.#evidence.someRefs(lineSearchTerm(search), MOST_NAMED))) {
      const no = numberOfRef(ref);
      const placed = isOrderRef(ref) ? undefined : this.#sql.get(evidenceStatements.placeOf, { no });
      if (placed === undefined) continue;
      const { item: row, day, item_id: key } = placed;
      const known = candidates.get(key);
      if (known === undefined)
        candidates.set(key, { place: { day: dayOf(day), list: 'items', key }, row, lines: [no] });
      else known.lines.push(no);
    }
    return candidates;
  }
}
