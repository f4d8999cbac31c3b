import type { MatchDecision } from './decision.ts';
import type { Duplicate } from './duplicates-among.ts';
import type { MatchLine, MatchTransfer } from './match-index.ts';
import type { MatchOrder } from './match-order.ts';
import type { NodeName } from './node.ts';
import type { MatchRule } from './rule.ts';

/** What belongs together, with what joined it. */
export type Component = {
  /** In code-unit order of their names, as lines and transfers below. */
  readonly members: readonly NodeName[];
  /** The one that the item is told by comes first, see `inLeadOrder`. */
  readonly orders: readonly MatchOrder[];
  readonly lines: readonly MatchLine[];
  readonly transfers: readonly MatchTransfer[];
  /** Rules that joined any two, each once. */
  readonly rules: ReadonlySet<MatchRule>;
  /** Whether amount and day fit several orders or lines. */
  readonly isAmbiguous: boolean;
  /** Utrs or hashes that several orders have which were paid. */
  readonly duplicates: readonly Duplicate[];
  readonly decisions: readonly MatchDecision[];
};
