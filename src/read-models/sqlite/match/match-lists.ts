import type { SqliteStatements } from '../../../sql/sqlite-statements.ts';
import { readList, type MatchItemList } from '../../match-item-list.ts';
import { itemStatements } from '../../statements/match-statements.ts';

/** The lists of a generation's items, by their number in its rows. */
export const matchLists = (sql: SqliteStatements): ReadonlyMap<number, MatchItemList> => {
  const lists = new Map<number, MatchItemList>();
  for (const { id, list: key } of sql.all(itemStatements.lists, {})) {
    const list = readList(key);
    if (list !== null) lists.set(id, list);
  }
  return lists;
};
