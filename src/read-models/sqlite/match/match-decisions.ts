import type { MatchDecision } from '../../../../projections/match/decision.ts';
import type { ItemId } from '../../../../projections/match/item-id.ts';
import { NodeNameText, type NodeName } from '../../../../projections/match/node.ts';
import type { SqliteStatements } from '../../../sql/sqlite-statements.ts';
import { evidenceStatements } from '../../statements/match-statements.ts';
import { readDecision } from '../../stored-match.ts';
import { present } from '../../present.ts';

/** Decisions in force of one generation, by the item that was decided on and by what they name. */
export class MatchDecisions {
  readonly #sql: SqliteStatements;
  /** By the item that was decided on: one of a large item is asked for from each of its nodes. */
  readonly #known = new Map<string, MatchDecision>();
  #hasAny: boolean | null = null;

  constructor(sql: SqliteStatements) {
    this.#sql = sql;
  }

  /** To be called when decisions may have changed. */
  forget(): void {
    this.#known.clear();
    this.#hasAny = null;
  }

  /** Whether there is any. */
  hasAny(): boolean {
    return (this.#hasAny ??= this.#sql.get(evidenceStatements.anyDecision, {}) !== undefined);
  }

  /** The one on an item; null where there is none. */
  get(itemId: string): MatchDecision | null {
    const known = this.#known.get(itemId);
    if (known !== undefined) return known;
    const row = this.#sql.get(evidenceStatements.decision, { item_id: itemId });
    if (row === undefined) return null;
    const decision = readDecision(row.body);
    this.#known.set(itemId, decision);
    return decision;
  }

  /** Those that name a node. */
  on(node: NodeName): readonly MatchDecision[] {
    // Mostly nobody has decided on anything, and this is asked of every node.
    return this.hasAny() ? this.#naming(node) : [];
  }

  /** All that they name. */
  *names(): Generator<NodeName, void> {
    for (const { name } of this.#sql.all(evidenceStatements.decided, {})) if (NodeNameText.is(name)) yield name;
  }

  /** Puts a decision in force, in place of one on the same item; answers the nodes that this touches. */
  decide(decision: MatchDecision): readonly NodeName[] {
    const touched = [...this.takeBack(decision.itemId), ...decision.group, ...decision.apart];
    this.#known.delete(decision.itemId);
    this.#hasAny = null;
    this.#sql.run(evidenceStatements.decide, { item_id: decision.itemId, body: JSON.stringify(decision) });
    for (const name of [...decision.group, ...decision.apart]) {
      this.#sql.run(evidenceStatements.name, { name, item_id: decision.itemId });
    }
    return touched;
  }

  /** Ends the decision on an item; answers the nodes that it named. */
  takeBack(itemId: ItemId): readonly NodeName[] {
    const decision = this.get(itemId);
    if (decision === null) return [];
    const names = [...decision.group, ...decision.apart];
    for (const name of names) this.#sql.run(evidenceStatements.unname, { name, item_id: itemId });
    this.#known.delete(itemId);
    this.#sql.run(evidenceStatements.takeBack, { item_id: itemId });
    return names;
  }

  #naming(node: NodeName): readonly MatchDecision[] {
    return this.#sql
      .all(evidenceStatements.decisionsOn, { name: node })
      .flatMap(({ item_id }) => present(this.get(item_id)));
  }
}
