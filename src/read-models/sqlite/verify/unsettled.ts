import { Components } from '../../../../projections/match/components.ts';
import { nodeOf, type NodeName } from '../../../../projections/match/node.ts';
import { updateItems } from '../../../../projections/match/update-items.ts';
import type { MatchSettings } from '../../../domain/match-settings.ts';
import type { SqliteStatements } from '../../../sql/sqlite-statements.ts';
import { itemStatements } from '../../statements/match-statements.ts';
import type { ItemRows } from '../match/item-rows.ts';
import { waitingNodes } from '../match/large-items.ts';
import type { MatchEvidence } from '../match/match-evidence.ts';

/** What is not as it will be when what waits for large items is in them. */
export type Unsettled = {
  /** Rows of items. */
  readonly rows: ReadonlySet<number>;
  /** What is in them now, and what will be in one with it. */
  readonly nodes: ReadonlySet<NodeName>;
};

/** What will be made anew when what waits is brought in: `verify` can compare all other items. */
export const unsettled = (
  sql: SqliteStatements,
  evidence: MatchEvidence,
  items: ItemRows,
  settings: MatchSettings,
): Unsettled => {
  const waiting = waitingNodes(sql, evidence);
  const [rows, nodes] = [new Set<number>(), new Set<NodeName>(waiting)];
  if (waiting.length === 0) return { rows, nodes };
  const isAwaited = (name: NodeName): boolean => {
    const node = nodeOf(name);
    const no = node.kind === 'order' ? evidence.orderNumber(node.id) : null;
    return no !== null && sql.get(itemStatements.awaitedAt, { no }) !== undefined;
  };
  const noted = (members: readonly NodeName[]): readonly NodeName[] => {
    for (const name of members) nodes.add(name);
    return members;
  };
  const components = new Components(evidence, settings);
  updateItems(waiting, (node) => components.of(node), {
    takeOut: (node) => {
      const row = items.rowWith(node);
      if (row === null) return isAwaited(node) ? noted([node]) : null;
      rows.add(row);
      return noted(items.at(row)?.members ?? []);
    },
    decisionsOn: evidence.decisionsOn,
    put: ({ members }) => noted(members),
  });
  evidence.forget();
  return { rows, nodes };
};
