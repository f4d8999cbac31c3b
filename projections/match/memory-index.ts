import type { LineId } from '../../src/domain/statement-line.ts';
import type { MatchDecision } from './decision.ts';
import { joinedLine } from './joined-line.ts';
import type { MatchIndex, MatchLine, MatchTransfer } from './match-index.ts';
import { lineDayKey, lineWords, orderDayKey, orderHashKey, orderWords, transferHashKey } from './match-keys.ts';
import type { MatchOrder } from './match-order.ts';
import type { MatchSettings } from '../../src/domain/match-settings.ts';
import type { NodeName } from './node.ts';

/** All that a match is of. */
export type MatchSources = {
  readonly orders: readonly MatchOrder[];
  readonly lines: readonly MatchLine[];
  readonly transfers: readonly MatchTransfer[];
  readonly decisions: readonly MatchDecision[];
};

const grouped = <A>(all: readonly A[], keysOf: (it: A) => readonly string[]): ((key: string) => readonly A[]) => {
  const groups = new Map<string, A[]>();
  for (const it of all) {
    for (const key of new Set(keysOf(it))) {
      const known = groups.get(key);
      if (known === undefined) groups.set(key, [it]);
      else known.push(it);
    }
  }
  return (key) => groups.get(key) ?? [];
};

const one = (key: string | null): readonly string[] => (key === null ? [] : [key]);

/** Each line once, whatever files it came by. */
const joinedLines = (all: readonly MatchLine[]): ReadonlyMap<LineId, MatchLine> => {
  const lines = new Map<LineId, MatchLine>();
  for (const line of all) {
    const known = lines.get(line.lineId);
    lines.set(line.lineId, known === undefined ? line : joinedLine(known, line));
  }
  return lines;
};

/**
 * An index over sources that are all in memory; an order or a transfer that is there twice counts once, the last of them,
 * and a line as all that came of it.
 */
export const memoryIndex = (sources: MatchSources, settings: MatchSettings): MatchIndex => {
  const orders = new Map(sources.orders.map((order) => [order.orderId, order]));
  const lines = joinedLines(sources.lines);
  const transfers = new Map(sources.transfers.map((transfer) => [transfer.transferId, transfer]));
  const decisions = new Map(sources.decisions.map((decision) => [decision.itemId, decision]));
  const [allOrders, allLines] = [[...orders.values()], [...lines.values()]];
  const decisionsOn = grouped([...decisions.values()], ({ group, apart }) => [...group, ...apart]);
  return {
    order: (id) => orders.get(id) ?? null,
    line: (id) => lines.get(id) ?? null,
    transfer: (id) => transfers.get(id) ?? null,
    ordersWithUtr: grouped(allOrders, ({ payouts }) => payouts.flatMap(({ utr }) => one(utr))),
    ordersWithChiefWord: grouped(allOrders, orderWords),
    ordersNamed: grouped(allOrders, ({ orderId, transactionId }) => [orderId, ...one(transactionId)]),
    linesWithReference: grouped(allLines, ({ references }) => references),
    linesWithWord: grouped(allLines, lineWords),
    ordersWithHash: grouped(allOrders, (order) => one(orderHashKey(order))),
    transfersWithHash: grouped([...transfers.values()], (transfer) => [transferHashKey(transfer)]),
    ordersOfDay: grouped(allOrders, (order) => one(orderDayKey(order, settings))),
    linesOfDay: grouped(allLines, (line) => one(lineDayKey(line))),
    decisionsOn: (node: NodeName) => decisionsOn(node),
  };
};
