import type { OrderId } from '../../src/domain/ids.ts';
import { decidedOf } from './decision.ts';
import type { DecidedNode } from './edge.ts';
import type { MatchIndex, MatchLine } from './match-index.ts';
import { lineWords, orderReferences, orderWords } from './match-keys.ts';
import type { MatchOrder } from './match-order.ts';
import { lineNode } from './node.ts';
import { linkOf, type MatchRule } from './rule.ts';

const byId = <A>(idOf: (it: A) => string, found: readonly A[]): readonly A[] => [
  ...new Map(found.map((it) => [idOf(it), it])).values(),
];
const orderIdOf = ({ orderId }: MatchOrder): string => orderId;
const lineIdOf = ({ lineId }: MatchLine): string => lineId;

/** Which lines name which orders. */
export class NamedOrders {
  readonly #index: MatchIndex;
  /** Of lines that were asked for: a large item asks for the same again and again. */
  readonly #keyed = new Map<string, ReadonlyMap<OrderId, MatchRule>>();

  constructor(index: MatchIndex) {
    this.#index = index;
  }

  /** Orders that a line names, by its surest rule, before anybody has decided. */
  ordersOf(line: MatchLine): ReadonlyMap<OrderId, MatchRule> {
    const known = this.#keyed.get(line.lineId);
    if (known !== undefined) return known;
    const found = byId(orderIdOf, [
      ...line.references.flatMap((reference) => [
        ...this.#index.ordersWithUtr(reference),
        ...this.#index.ordersNamed(reference),
      ]),
      ...lineWords(line).flatMap((word) => this.#index.ordersWithChiefWord(word)),
    ]);
    const links = found.flatMap((order) => {
      const link = linkOf(line, order);
      return link === null ? [] : [{ orderId: order.orderId, ...link }];
    });
    const least = links.reduce((lowest, { rank }) => Math.min(lowest, rank), Infinity);
    const surest = new Map(
      links.flatMap(({ orderId, rule, rank }) => (rank === least ? [[orderId, rule] as const] : [])),
    );
    this.#keyed.set(line.lineId, surest);
    return surest;
  }

  /** Lines that name an order, and no other more surely. */
  linesOf(
    order: MatchOrder,
    { name, decisions }: DecidedNode,
  ): readonly { readonly line: MatchLine; readonly rule: MatchRule }[] {
    const found = byId(lineIdOf, [
      ...orderReferences(order).flatMap((reference) => this.#index.linesWithReference(reference)),
      ...orderWords(order).flatMap((word) => this.#index.linesWithWord(word)),
    ]);
    return found.flatMap((line) => {
      const rule = this.ordersOf(line).get(order.orderId);
      if (rule === undefined || decidedOf(decisions, name, lineNode(line.lineId)) === 'parted') return [];
      return [{ line, rule }];
    });
  }
}
