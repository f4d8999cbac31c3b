import type { SqliteStatements } from '../../../sql/sqlite-statements.ts';
import { readClass, type MatchClass } from '../../match-class.ts';
import { itemStatements } from '../../statements/match-statements.ts';

/** The classes of a generation's items, by their number in its rows. */
export const matchClasses = (sql: SqliteStatements): ReadonlyMap<number, MatchClass> => {
  const classes = new Map<number, MatchClass>();
  for (const { id, class: key } of sql.all(itemStatements.classes, {})) {
    const its = readClass(key);
    if (its !== null) classes.set(id, its);
  }
  return classes;
};
